/* Clauses run in program order, even if they share a probe with others. */
/* @fire syscall::read:entry */
/* @fire syscall::write:entry */
#pragma D option quiet

syscall::write:entry
{
	printf("1 ");
}

syscall::read:entry,
syscall::write:entry
{
	printf("2 ");
}

syscall::read:entry
{
	printf("3 ");
}

syscall::*:entry
/probefunc == "read" || probefunc == "write"/
{
	printf("4\n");
}
