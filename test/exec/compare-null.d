/* A comparison of strings treats NULL as "". */
#pragma D option quiet

BEGIN
{
	s = "a";
	none = "";
	printf("%d %d %d %d %d\n", "" == NULL, NULL == "", "" != NULL, s == NULL, s > NULL);
	printf("%d %d %d\n", none == "", none == NULL, "" < NULL);
	none = s;
	none = NULL;
	printf("%d %d %d\n", none == "", none == NULL, none < "a");
	exit(0);
}
