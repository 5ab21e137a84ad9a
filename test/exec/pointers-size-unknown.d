/*
 * A copy through a pointer to a variable must have a constant size: otherwise the compiler cannot
 * tell whether it ends in the same variable.
 */
/* @fire syscall::read:entry arg0=3 */
/* @fire syscall::read:entry arg0=40000 */
#pragma D option quiet

char text[8];
char *kept;

BEGIN
{
	kept = &text[0];
	bcopy("xyz", kept, 2);
	printf("%s\n", stringof(text));
}

syscall::read:entry
{
	bcopy("abc", kept, arg0);
	printf("copied\n");
}

syscall::read:entry
{
	printf("%s\n", stringof(text));
}

ERROR
{
	printf("%d %d\n", arg4, arg5 == (uint64_t)kept);
}
