/* copyinstr(): a string of the process, at most n characters, cut at strsize. */
/* @mem user 0x1000 "/etc/passwd\0rest" */
/* @mem user 0x2000 "0123456789abcdefghij\0" */
/* @mem user 0x3000 "\0" */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x2000 */
/* @fire syscall::openat:entry arg1=0x3000 */
#pragma D option quiet
#pragma D option strsize=16

syscall::openat:entry
{
	printf("[%s] [%s]", copyinstr(arg1), copyinstr(arg1, 4));
	printf(" [%s] %d\n", copyinstr(arg1, 100), strlen(copyinstr(arg1 + 1, 3)));
}
