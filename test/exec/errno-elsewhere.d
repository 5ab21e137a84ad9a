/* Probes other than returns of system calls have no error number. */
/* @fire syscall::read:entry arg0=5 */
/* @fire syscall::read:return ret=-2 */
/* @fire syscall::write:return ret=2 */
#pragma D option quiet

BEGIN,
syscall:::entry,
syscall:::return,
END
{
	printf("%s %d\n", probename, errno);
}
