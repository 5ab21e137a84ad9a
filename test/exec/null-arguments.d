/* A subroutine cannot read a string that is NULL, whether that is known or found at run time. */
#pragma D option quiet

BEGIN { trace(toupper(strtok(NULL, ","))); }
BEGIN { trace(strlen(NULL)); }
BEGIN { trace(strjoin("a", strchr("abc", 'x'))); }
BEGIN { trace(basename(0)); }
BEGIN { trace(index("a", NULL)); }
BEGIN { trace(strtok("a", NULL)); }
BEGIN { trace(strtoll(json("{}", "a"))); }

/* It can be assigned and compared: for other strings it is empty. */
BEGIN
{
	s = strstr("abc", "x");
	printf("%d %d %d\n", s == NULL, s == "", strchr("abc", 'x') < "a");
	exit(0);
}
