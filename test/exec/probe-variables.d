/* The names, numbers and circumstances of the firing. */
/* @fire syscall::read:entry pid=12 tid=13 ppid=5 uid=1000 gid=100 cpu=3 comm=cat */
/* @fire syscall::write:return pid=20 comm=a-very-long-command-name */
#pragma D option quiet

BEGIN
{
	printf("%s:%s:%s:%s %d %d\n", probeprov, probemod, probefunc, probename, id, epid);
}

syscall::read:entry,
syscall::write:return
{
	printf("%s:%s:%s:%s\n", probeprov, probemod, probefunc, probename);
	printf("%d %d %d %d %d\n", pid, tid, ppid, uid, gid);
	printf("%d %s %d %d\n", cpu, execname, ipl, epid != id);
}

END
{
	printf("%s:%s:%s:%s %d\n", probeprov, probemod, probefunc, probename, id);
}
/* rows: probeprov probemod probefunc probename id epid pid tid ppid uid gid cpu execname */
