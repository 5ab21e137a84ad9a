/* strchr(), strrchr(): the rest of the string from the first or last such character. */
#pragma D option quiet

BEGIN
{
	s = "usr/local/bin";
	printf("[%s] [%s]\n", strchr(s, '/'), strrchr(s, '/'));
	printf("[%s] [%s]\n", strchr(s, 'u'), strrchr(s, 'n'));
	printf("%d %d\n", strchr("", 'x') == NULL, strrchr("", 'x') == NULL);
	printf("%d %d %d\n", strchr(s, 'x') == NULL, strrchr(s, 'x') == NULL, NULL == strchr(s, 'b'));
	printf("%d %d\n", strchr(s, '\0') == NULL, strlen(strchr(s, '\0')));
	printf("[%s]\n", strchr(strchr(s, '/'), 'b'));
	exit(0);
}
/* rows: strrchr */
