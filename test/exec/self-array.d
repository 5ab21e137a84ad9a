/* Associative arrays of a thread. */
/* @fire syscall::read:entry tid=10 arg0=3 */
/* @fire syscall::read:entry tid=11 arg0=3 */
/* @fire syscall::read:return tid=10 */
/* @fire syscall::read:return tid=11 */
#pragma D option quiet

syscall::read:entry
{
	self->fd[arg0, "x"] = tid * 2;
}

syscall::read:return
{
	printf("%d %d %d\n", self->fd[3, "x"], self->fd[3, "y"], self->fd[4, "x"]);
	self->fd[3, "x"] = 0;
	printf("%d\n", self->fd[3, "x"]);
}
