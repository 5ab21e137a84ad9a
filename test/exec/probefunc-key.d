/* A probe name is the same key as the equal string, at any string size. */
/* @fire syscall::read:entry */
/* @fire syscall::write:entry */
#pragma D option quiet
#pragma D option strsize=9

syscall:::entry
{
	@[probefunc] = count();
}

BEGIN
{
	@["read"] = count();
}
