/* No room for another key: counted by CPU; existing keys still count. */
/* @fire syscall::read:entry pid=1 */
/* @fire syscall::read:entry pid=2 */
/* @fire syscall::read:entry pid=1 */
/* @fire syscall::read:entry pid=3 cpu=1 */
/* @fire syscall::read:entry pid=4 cpu=1 */
/* @fire syscall::read:entry pid=5 cpu=2 */
/* @fire syscall::read:entry pid=2 cpu=2 */
/* @fire syscall::read:entry pid=6 cpu=2 */
#pragma D option quiet
#pragma D option aggsize=100

syscall::read:entry
{
	@a[pid] = count();
}
/* rows: DTRACEDROP_AGGREGATION -xaggsize */
