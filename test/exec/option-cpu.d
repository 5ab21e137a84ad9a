/* With option cpu, probes on other processors do not fire. */
/* @fire syscall::read:entry cpu=0 */
/* @fire syscall::read:entry cpu=2 */
/* @fire syscall::read:entry cpu=3 */
#pragma D option quiet
#pragma D option cpu=2

syscall::read:entry
{
	printf("%d\n", cpu);
}
