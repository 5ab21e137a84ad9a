/* setopt() changes options while tracing runs; it acts in the order of the records. */
/* @fire syscall::read:entry */
/* @fire syscall::read:entry */

syscall::read:entry
{
	trace(1);
	setopt("quiet");
}

syscall::read:entry
{
	printf("second\n");
}

END
{
	setopt("nonsense", "5");
}
/* rows: -xquiet */
