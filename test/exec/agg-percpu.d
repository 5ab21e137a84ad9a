/* aggpercpu: each value is followed by those of all CPUs; a CPU without a minimum has none. */
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
