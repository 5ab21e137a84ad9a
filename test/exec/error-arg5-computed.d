/* ERROR can compute with the address of a fault, whatever strings the program has. */
#pragma D option quiet

string kept[string];

BEGIN
{
	printf("%s %s\n", strjoin("a", "b"), kept["x"] == NULL ? "" : kept["x"]);
	printf("never printed %d\n", *(int *)0x11);
}

ERROR
{
	printf("%d %s\n", arg5 * 3 & 0xff, lltostr(arg5 + 1));
	printf("%s\n", arg5 > 0x10 && arg5 < 0x12 ? "at 0x11" : "elsewhere");
	@ = lquantize(arg5 / 2, 0, 16, 4);
	exit(0);
}
