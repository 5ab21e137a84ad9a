/* lltostr(): bases 2 to 36, a sign only in base 10. */
#pragma D option quiet

BEGIN
{
	n = -1;
	printf("%s %s %s\n", lltostr(0), lltostr(1234567890123), lltostr(-42));
	printf("%s %s %s\n", lltostr(255, 16), lltostr(8, 8), lltostr(5, 2));
	printf("%s %s\n", lltostr(0, 16), lltostr(0, 8));
	printf("%s %s\n", lltostr(n, 16), lltostr(n, 8));
	printf("%s %s\n", lltostr(35, 36), lltostr(123456, 36));
	printf("%s\n", lltostr(0x8000000000000000));
	printf("%s\n", lltostr(n, 2));
	exit(0);
}
