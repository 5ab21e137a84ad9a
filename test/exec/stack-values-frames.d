/* A variable has room for the deepest stack, and each call has its requested frames. */
/* @fire syscall::read:entry kstack=0x10,0x20,0x30,0x40 */
#pragma D option quiet
#pragma D option stackframes=2

syscall::read:entry
{
	this->s = stack(3);
	printf("three%k", this->s);
	this->s = stack(1);
	printf("one%k", this->s);
	this->s = stack();
	printf("two%k", this->s);
	printf("%d %d\n", this->s == stack(2), this->s == stack(3));
	@[this->s] = sum(1);
	@[stack(2)] = sum(2);
	@[stack(3)] = sum(4);
	@[stack(1)] = sum(8);
}
