/* A record begun before a fault is released: the ring does not fill up with such records. */
/* @mem user 0x1000 "found\0" */
/* @fire syscall::openat:entry arg1=1 */
/* @fire syscall::openat:entry arg1=2 */
/* @fire syscall::openat:entry arg1=3 */
/* @fire syscall::openat:entry arg1=4 */
/* @fire syscall::openat:entry arg1=0x1000 */
#pragma D option quiet
#pragma D option bufsize=64k
#pragma D option strsize=60000

syscall::openat:entry
/arg1 < 100/
{
	printf("%d %s\n", arg0, copyinstr(arg1));
}

syscall::openat:entry
/arg1 > 100/
{
	printf("%s\n", copyinstr(arg1));
}

ERROR
{
	n++;
}

END
{
	printf("%d faults\n", n);
}
