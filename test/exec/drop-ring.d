/* Records that do not fit into the ring are dropped and counted; their clauses do not run. */
/* @fire syscall::read:entry cpu=1 pid=1 hold=1 */
/* @fire syscall::read:entry cpu=1 pid=2 hold=1 */
/* @fire syscall::read:entry cpu=1 pid=3 hold=1 */
/* @fire syscall::read:entry cpu=1 pid=4 hold=1 */
/* @fire syscall::read:entry cpu=1 pid=5 hold=1 */
/* @fire syscall::read:entry cpu=2 pid=6 */
/* @fire syscall::read:entry cpu=2 pid=7 */
#pragma D option quiet
#pragma D option bufsize=64k
#pragma D option strsize=60000

string s;
int n, m;

syscall::read:entry
{
	printf("%d [%s]\n", pid, s);
	n++;
}

syscall::read:entry
{
	m++;
}

END
{
	printf("%d %d\n", n, m);
}
/* rows: DTRACEDROP_PRINCIPAL -xbufsize */
