/* The system call with the highest number has a name, like all others. */
/* @fire syscall::set_mempolicy_home_node:entry */
/* @fire syscall::read:entry */
#pragma D option quiet

syscall:::entry
{
	printf("%s %s\n", probefunc, probename);
}
