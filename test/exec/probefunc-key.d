/* A name of the probe is the same key as the string, whichever size strings have. */
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
