/* A global is shared by all CPUs and threads, and starts as 0. */
/* @fire syscall::read:entry cpu=0 tid=1 */
/* @fire syscall::read:entry cpu=1 tid=2 */
/* @fire syscall::read:return cpu=3 tid=3 */
#pragma D option quiet

uint64_t g;
string s;

BEGIN
{
	printf("%d [%s]\n", g, s);
}

syscall::read:entry
{
	g += tid;
	s = strjoin(s, "x");
}

syscall::read:return
{
	printf("%d [%s]\n", g, s);
}
