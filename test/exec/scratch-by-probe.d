/* Each probe takes its own scratch memory, and releases it even if a clause ends early. */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::openat:entry arg1=0x1000 */
/* @fire syscall::read:entry */
/* @fire syscall::write:entry comm=ab */
#pragma D option quiet

syscall::openat:entry
/copyinstr(arg1) == strjoin(execname, "x")/
{
	printf("not here");
}

syscall::read:entry
{
	printf("without\n");
}

syscall::write:entry
{
	printf("%s\n", strjoin(execname, "c"));
}
