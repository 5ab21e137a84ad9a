/* In this dialect NULL is less than "".  rows: DIALECT_NULL_IS_LESS */
#pragma D option dialect=oracle
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
