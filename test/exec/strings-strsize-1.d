/* Subroutines on strings of at most 1 character. */
#pragma D option quiet
#pragma D option strsize=1

BEGIN
{
	s = "/ab/cd/";
	printf("[%s][%s][%s][%s]\n", s, basename(s), dirname(s), cleanpath("//a"));
	printf("[%s][%s][%s]\n", strjoin(s, ""), substr(s, 1), toupper(s));
	printf("[%s][%s][%s]\n", strchr(s, '/'), strrchr(s, '/'), strstr(s, ""));
	printf("%d %d %d\n", index(s, "c"), rindex(s, "/"), strlen(s));
	printf("[%s] %d %d\n", strtok(s, ","), strtok(NULL, "/") == NULL, json("[1]", "[0]") == NULL);
	printf("[%s] %d %d\n", lltostr(-1234567), strtoll("123456789"), s == "/ab/cd/");
	exit(0);
}
