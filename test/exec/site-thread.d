/*
 * A site can fire for another thread than the current one.  There, built-in variables and
 * thread-locals are that thread's; in other clauses of the program they are the current one's.  At
 * one place probes fire in the order of the library's sites.
 */
/* @fire rawtp:::sched_process_hang pid=20 comm=one uid=7 ppid=1 */
/* @fire rawtp:::sched_process_hang pid=30 tid=31 comm=two uid=8 ppid=20 */
/* @fire rawtp:::sched_switch pid=20 comm=one uid=7 ppid=1 arg1=0xffff888000200000 arg2=0xffff888000300000 */
/* @fire rawtp:::sched_switch pid=30 tid=31 comm=two uid=8 ppid=20 arg1=0xffff888000300000 arg2=0xffff888000200000 */
#pragma D option quiet

BEGIN
{
	self->n = 1;
}

rawtp:::sched_process_hang
{
	self->n = tid;
	self->text = "was told";
}

sched:::on-cpu
{
	printf("on %s %d %d %d %d %d %d\n", execname, pid, tid, ppid, uid, curlwpsinfo->pr_lwpid,
	    self->n);
	self->n++;
	self->text = execname;
}

sched:::off-cpu
{
	printf("off %s %d %d %d %d to %d\n", execname, pid, tid, uid, self->n, args[0]->pr_lwpid);
	self->n += 100;
}

rawtp:::sched_switch
{
	printf("switch %s %d %d %s\n", execname, tid, self->n, self->text);
}

sched:::on-cpu
{
	seen[tid] = self->n;
}

END
{
	printf("%d %d\n", seen[20], seen[31]);
}
