/* A program serves all calls: a clause runs only for the calls that it names. */
/* @fire syscall::read:entry */
/* @fire syscall::write:entry */
/* @fire syscall::close:entry */
/* @fire syscall::openat:entry */
#pragma D option quiet

syscall::read:entry,
syscall::close:entry
{
	printf("a %s\n", probefunc);
}

syscall::write:entry
{
	printf("b %s\n", probefunc);
}

syscall:::entry
{
	@all[probefunc] = count();
}

syscall::read:entry
{
	printf("c %s\n", probefunc);
}

END
{
	printa("%s %@d\n", @all);
}
