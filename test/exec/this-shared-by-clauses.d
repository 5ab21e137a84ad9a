/* Clause-locals are shared by the clauses of one firing. */
/* @fire syscall::read:entry arg0=1 */
/* @fire syscall::read:entry arg0=2 */
#pragma D option quiet

this string s;

syscall::read:entry
{
	this->x = arg0 * 10;
	this->s = arg0 == 1 ? "one" : "two";
}

syscall::read:entry
/this->x > 10/
{
	printf("big ");
}

syscall::read:entry
{
	printf("%d %s\n", this->x, this->s);
}
