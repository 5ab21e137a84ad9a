/* A stack is a value: kept in any variable, compared, tested for existence, and printed later. */
/* @fire syscall::read:entry tid=1 kstack=0x10,0x20 */
/* @fire syscall::read:return tid=2 kstack=0x30 */
/* @fire syscall::read:return tid=1 kstack=0x30 */
/* @fire syscall::read:return tid=1 kstack=0x30 */
/* @fire syscall::read:entry tid=1 kstack=0x10 */
/* @fire syscall::read:return tid=1 kstack=0x10 */
#pragma D option quiet
dt_stack_t last;
dt_stack_t before[int];
self dt_stack_t also;
inline dt_stack_t here = stack();

BEGIN
{
	printf("BEGIN %d %d %d [%k]\n", !last, before[1] == NULL, last == before[1], last);
}

syscall::read:entry
{
	self->s = stack();
	self->also = self->s;
	last = self->s;
	before[1] = last;
	seen[stack()] = 1;
	this->x = here;
	printf("entry %d %d %d\n", self->s == stack(), this->x != before[1], self->also ? 1 : 0);
	trace(before[1]);
}

syscall::read:return
/self->s && !(self->s == NULL)/
{
	printf("return %d %d %d %d%k", self->s == stack(), seen[stack()], seen[self->s],
	    (arg0 == 5 ? stack() : self->s) == last, self->s);
	@[self->s] = sum(10);
	@[stack()] = sum(1);
	self->s = 0;
	before[1] = NULL;
	last = NULL;
}

syscall::read:return
{
	printf("after %d %d %d\n", self->s == 0, before[1] == 0, last != NULL);
}
