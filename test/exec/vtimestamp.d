/* The time of a thread leaves out interrupts and other guests of the machine. */
/* @fire syscall::read:entry pid=1 time=50000 lost=1 */
/* @fire syscall::read:entry pid=1 time=60000 lost=1201 */
/* @fire syscall::read:entry pid=2 time=60000 lost=60000 */
#pragma D option quiet

syscall::read:entry
{
	printf("%d %d\n", timestamp, vtimestamp);
}
/* rows: vtimestamp */
