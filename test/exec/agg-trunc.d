/* trunc(@a, n) keeps the n largest, trunc(@a, -n) the smallest, trunc(@a) nothing. */
/* @fire syscall::read:entry */
#pragma D option quiet

BEGIN
{
	@a["one"] = sum(1);
	@a["two"] = sum(2);
	@a["three"] = sum(3);
	@a["four"] = sum(4);
	trunc(@a, 3);
	printa("%s %@d ", @a);
	printf("\n");
	trunc(@a, -2);
	printa("%s %@d ", @a);
	printf("\n");
	trunc(@a);
	printa("%s %@d ", @a);
	printf("none\n");
}

syscall::read:entry
{
	@a["two"] = sum(20);
	printa("%s %@d\n", @a);
	exit(0);
}
/* rows: trunc */
