/* A string that is NULL cannot be read by a subroutine, known as such or found to be at run time. */
#pragma D option quiet

BEGIN { trace(toupper(strtok(NULL, ","))); }
BEGIN { trace(strlen(NULL)); }
BEGIN { trace(strjoin("a", strchr("abc", 'x'))); }
BEGIN { trace(basename(0)); }
BEGIN { trace(index("a", NULL)); }
BEGIN { trace(strtok("a", NULL)); }
BEGIN { trace(strtoll(json("{}", "a"))); }

/* It can be printed and assigned. */
BEGIN
{
	s = strstr("abc", "x");
	printf("[%s] [%s] %d\n", strchr("abc", 'x'), s, strlen(s));
	s = NULL;
	printf("[%s]\n", s);
	exit(0);
}
