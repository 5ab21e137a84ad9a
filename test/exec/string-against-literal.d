/* Characters in memory are equal to a literal, less or greater; later ones do not matter. */
/* @mem kernel 0xffff888100000000 "abc\0" */
/* @mem kernel 0xffff888100001000 "abcd\0" */
/* @mem kernel 0xffff888100002000 "ab\0" */
/* @mem kernel 0xffff888100003000 "\0" */
/* @fire syscall::read:entry arg1=0xffff888100000000 */
/* @fire syscall::read:entry arg1=0xffff888100001000 */
/* @fire syscall::read:entry arg1=0xffff888100002000 */
/* @fire syscall::read:entry arg1=0xffff888100003000 */
/* @fire syscall::read:entry arg1=0xffff888100005000 */
#pragma D option quiet

inline string text = stringof((char *)arg1);

syscall::read:entry
{
	printf("%d%d%d%d", stringof((char *)arg1) == "abc", stringof((char *)arg1) != "abc",
	    stringof((char *)arg1) < "abc", "abc" < stringof((char *)arg1));
	printf(" %d %d\n", text == "abc", text >= "");
}

syscall::read:entry
/stringof((char *)arg1) == "ab"/
{
	printf("ab\n");
}
