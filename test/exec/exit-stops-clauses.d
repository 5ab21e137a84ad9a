/* exit() ends its own clause at its end; later clauses of the same firing do not run, END does. */
/* @fire syscall::read:entry pid=7 */
#pragma D option quiet

BEGIN
{
	printf("one ");
	exit(3);
	printf("two\n");
}

BEGIN
{
	printf("never\n");
}

syscall::read:entry
{
	printf("never\n");
}

END
{
	printf("end one\n");
	exit(4);
}

END
{
	printf("end two\n");
}
