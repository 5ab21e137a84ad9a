/* Clauses of libraries keep state from their attachment on, clauses of users wait for BEGIN. */
/* @early syscall::rt_sigtimedwait:entry arg1=0x5000 */
/* @fire syscall::rt_sigtimedwait:return ret=5 */
/* @mem user 0x5000 05 00 00 00 00 00 00 00 07 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 */
#pragma D option quiet

proc:::signal-clear
{
	printf("%d %d\n", args[0], args[1]->si_code);
}

syscall::rt_sigtimedwait:entry
{
	printf("too early\n");
}

/* With a profile probe all system calls are traced at one place. */
tick-1s
{
}
