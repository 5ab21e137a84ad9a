/*
 * A firing is in an interrupt by the kernel's preemption counter.  A sample comes in an
 * interrupt itself, so it is in one only if the interrupted code was.
 */
/* @fire syscall::read:entry pid=1 */
/* @fire syscall::read:entry pid=2 preempt=0xff */
/* @fire syscall::read:entry pid=3 preempt=0x100 */
/* @fire syscall::read:entry pid=4 preempt=0x200 */
/* @fire syscall::read:entry pid=5 preempt=0x10000 */
/* @fire syscall::read:entry pid=6 preempt=0x80001 */
/* @fire syscall::read:entry pid=7 preempt=0x100000 */
/* @fire syscall::read:entry pid=8 preempt=0x800000 */
/* @fire syscall::read:entry pid=9 preempt=0x1000000 */
/* @fire profile:::profile-97 pid=1 */
/* @fire profile:::profile-97 pid=2 preempt=0x10000 */
/* @fire profile:::profile-97 pid=3 preempt=0x100000 */
/* @fire profile:::profile-97 pid=4 preempt=0x110000 */
/* @fire profile:::profile-97 pid=5 preempt=0x10100 */
/* @fire profile:::profile-97 pid=6 preempt=0x100200 */
/* @fire profile:::profile-97 pid=7 preempt=0x100300 */
#pragma D option quiet

syscall::read:entry,
profile-97
{
	printf("%s %d %d\n", probename, pid, ipl);
}
/* rows: ipl */
