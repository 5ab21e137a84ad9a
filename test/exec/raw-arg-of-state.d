/* A raw argument of a stable probe may be state that another clause of the library keeps. */
/* @fire syscall::rt_sigtimedwait:entry arg1=0x5000 */
/* @fire syscall::rt_sigtimedwait:return ret=5 */
#pragma D option quiet

proc:::signal-clear
{
	printf("%d %x\n", arg0, arg1);
}

/* With a profile probe all system calls are traced at one place. */
tick-1s
{
}
