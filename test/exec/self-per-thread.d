/* Thread-locals belong to a thread, not to a process; unassigned ones are 0 or NULL. */
/* @fire syscall::read:entry pid=1 tid=10 time=100 */
/* @fire syscall::read:entry pid=1 tid=11 time=150 */
/* @fire syscall::read:return pid=1 tid=10 time=175 */
/* @fire syscall::read:return pid=1 tid=11 time=275 */
/* @fire syscall::read:return pid=1 tid=12 time=300 */
/* @fire syscall::read:return pid=1 tid=10 time=400 */
#pragma D option quiet

syscall::read:entry
{
	self->start = timestamp;
	self->name = "set";
}

syscall::read:return
/!self->start/
{
	printf("%d: nothing %d\n", tid, self->name == NULL);
}

syscall::read:return
/self->start/
{
	printf("%d: %d %s\n", tid, timestamp - self->start, self->name);
	self->start = 0;
	self->name = 0;
}
