/* Probe names that one program distinguishes are cut where strings end. */
/* rows: probefunc -xstrsize */
/* @fire syscall::read:entry */
/* @fire syscall::write:entry */
/* @fire syscall::writev:entry */
/* @fire syscall::sched_get_priority_max:entry */
#pragma D option quiet
#pragma D option strsize=6

syscall::read:entry, syscall::write:entry, syscall::writev:entry, syscall::sched_get_priority_max:entry
{
	printf("%s|%s|%s\n", probefunc, probename, probemod);
	@[probefunc, probeprov] = count();
}
