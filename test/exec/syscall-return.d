/* arg0 and arg1 are the result; errno is 0, or the error number if the call failed. */
/* @fire syscall::read:return ret=512 */
/* @fire syscall::read:return ret=0 */
/* @fire syscall::read:return ret=0xfffffffffffffff7 */
/* @fire syscall::read:return ret=0xfffffffffffff001 */
/* @fire syscall::read:return ret=0xfffffffffffff000 */
/* @fire syscall::read:entry arg0=0xfffffffffffffff7 */
#pragma D option quiet

syscall::read:return
{
	printf("%d %d %d\n", arg0, arg1, errno);
}

syscall::read:return
/errno == EBADF/
{
	printf("bad file\n");
}

syscall::read:entry
{
	printf("entry %d\n", errno);
}
/* rows: errno */
