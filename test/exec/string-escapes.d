/* Escapes in literals; %S prints them back. */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", strlen("a\tb\n"), strlen("\x41\101\\\""));
	printf("%s %S\n", "\x41\101\\\"", "tab\there \"q\" \\ \001");
	printf("%d %d %d\n", 'a', '\n', 'ab');
	exit(0);
}
