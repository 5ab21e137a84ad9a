/* strstr(): the rest of the string from the first occurrence; all of it for an empty one. */
#pragma D option quiet

BEGIN
{
	s = "foobarbazbar";
	printf("[%s] [%s] [%s]\n", strstr(s, "bar"), strstr(s, "foo"), strstr(s, "barb"));
	printf("[%s] [%s] [%s]\n", strstr(s, "nope"), strstr(s, ""), strstr("", "x"));
	printf("[%s] [%s]\n", strstr("aaab", "aab"), strstr("ab", "abc"));
	printf("%d %d %d\n", strstr(s, "r") == NULL, strstr(s, "z!") == NULL, strstr("", "") == NULL);
	exit(0);
}
