/* strlen() counts up to the NUL. */
#pragma D option quiet

BEGIN
{
	s = "hello";
	printf("%d %d %d %d\n", strlen(s), strlen(""), strlen("x"), strlen(probename));
	printf("%d\n", strlen(strjoin(s, s)));
	exit(0);
}
