/* toupper(), tolower(): ASCII letters only. */
#pragma D option quiet

BEGIN
{
	s = "Mixed 123 [x] \xe4";
	printf("%S %S\n", toupper(s), tolower(s));
	printf("[%s] %d\n", toupper(""), tolower(toupper("abc")) == "abc");
	exit(0);
}
/* rows: toupper tolower */
