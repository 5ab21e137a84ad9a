/* aggpercpu: the value of each CPU follows each value; a CPU without a minimum has no value. */
/* @fire syscall::read:entry cpu=1 */
/* @fire syscall::read:entry cpu=1 */
/* @fire syscall::read:entry cpu=3 */
#pragma D option quiet
#pragma D option aggpercpu

syscall::read:entry
{
	@n["reads"] = count();
	@lo = min(cpu + 5);
}
/* rows: -xaggpercpu */
