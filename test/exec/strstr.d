/* strstr(): the rest of the string from the first match; all of it for an empty pattern. */
#pragma D option quiet

BEGIN
{
	s = "foobarbazbar";
	printf("[%s] [%s] [%s]\n", strstr(s, "bar"), strstr(s, "foo"), strstr(s, "barb"));
	printf("[%s] %d\n", strstr(s, ""), strstr("", "x") == NULL);
	printf("[%s] %d\n", strstr("aaab", "aab"), strstr("ab", "abc") == NULL);
	printf("%d %d %d\n", strstr(s, "r") == NULL, strstr(s, "z!") == NULL, strstr("", "") == NULL);
	exit(0);
}
