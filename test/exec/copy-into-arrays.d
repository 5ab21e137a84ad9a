/* bcopy() and copyinto() write to arrays of D, and to pointers into them, as far as there is room. */
/* @there bcopy() is not done at the host */
/* @mem user 0x1000 "user memory" */
/* @fire syscall::write:entry arg1=0x1000 arg2=11 */
/* @fire syscall::write:entry arg1=0x1000 arg2=17 */
#pragma D option quiet

struct box { int before; char text[8]; int after; };
char m[16];
struct box b;
this char l[8];
int next;

BEGIN
{
	next = 7;
	bcopy("abcd", m, 5);
	printf("[%s] %d\n", stringof(m), next);
	bcopy("xy", &m[2], 2);
	printf("[%s] %d\n", stringof(m), m[3]);
	bcopy(m, this->l, 5);
	printf("[%s]\n", stringof(this->l));
	b.before = b.after = -1;
	bcopy(m, b.text, 8);
	printf("%d [%s] %d\n", b.before, stringof(b.text), b.after);
}

BEGIN
{
	bcopy(m, b.text, 9);
	printf("never\n");
}

syscall::write:entry
{
	copyinto(arg1, arg2, m);
	printf("[%s] %d\n", stringof(m), next);
}

ERROR
{
	printf("fault %d, %d\n", arg4, arg5);
}
