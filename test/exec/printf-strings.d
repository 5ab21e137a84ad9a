/* %s with width and precision. */
#pragma D option quiet

BEGIN
{
	s = "string";
	printf("[%s] [%10s] [%-10s] [%.3s] [%*s]\n", s, s, s, s, 8, s);
	printf("[%s] [%s]\n", "", strjoin(s, probename));
	printf("[%S] [%-8S]\n", "a\nb", "q\"");
	printf("no conversions");
	printf("\n");
	exit(0);
}
/* rows: %s %S */
