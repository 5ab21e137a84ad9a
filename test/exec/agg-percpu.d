/* aggpercpu: behind each value those of all CPUs; one without a value shows what it starts from. */
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
