/* progenyof(): the process itself and its ancestors. */
/* @fire syscall::write:entry pid=1 ppid=0 */
/* @fire syscall::write:entry pid=20 ppid=1 */
/* @fire syscall::write:entry pid=300 ppid=20 */
#pragma D option quiet

syscall::write:entry
{
	printf("%d: %d %d %d %d\n", pid, progenyof(300), progenyof(20), progenyof(1), progenyof(7));
}
