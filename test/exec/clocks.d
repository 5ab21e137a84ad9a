/* The newest clock of a machine is valid from a time; the other one, before. */
/* @clock 0 1000000 0 */
/* @clock 5000000 1000100 -0x80000000 */
/* @begin time=1000 */
/* @fire syscall::getpid:entry time=1000000 */
/* @fire syscall::getpid:entry time=4999999 */
/* @fire syscall::getpid:entry time=5000000 */
/* @fire syscall::getpid:entry time=5000001 */
/* @fire syscall::getpid:entry time=5001000 */
/* @end time=6000000 */
#pragma D option quiet

BEGIN,
syscall::getpid:entry,
END
{
	printf("%d\n", timestamp);
}
