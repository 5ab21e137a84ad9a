/* A clause on several system calls fires for each of them. */
/* @fire syscall::read:entry arg0=1 */
/* @fire syscall::write:entry arg0=2 */
/* @fire syscall::close:entry arg0=3 */
/* @fire syscall::openat:entry arg0=4 */
#pragma D option quiet

syscall::read:entry,
syscall::write:entry,
syscall::close:entry
{
	printf("%s %d\n", probefunc, arg0);
}
