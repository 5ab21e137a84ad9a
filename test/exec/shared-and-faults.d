/* A fault ends the clause; what precedes it stays, also with clauses at the host. */
/* @fire syscall::read:entry pid=1 arg0=0 arg1=10 */
/* @fire syscall::read:entry pid=2 arg0=2 arg1=20 */
/* @fire syscall::write:entry pid=3 arg0=0 arg1=0 */
#pragma D option quiet

syscall::read:entry
{
	seen++;
	self->before = arg1;
	quotient = arg1 / arg0;
	after++;
	self->after = arg1;
}

syscall::read:entry
{
	printf("%d: seen %d quotient %d after %d self %d %d\n", pid, seen, quotient, after,
	    self->before, self->after);
}

syscall::write:entry
/seen / arg0 == 1 && pid == 3/
{
	printf("never\n");
}

syscall::write:entry
/pid == 3 && seen % arg1/
{
	printf("never\n");
}

syscall::write:entry
{
	if (seen / arg0)
		printf("never\n");
	else
		printf("never\n");
	never = 1;
}

syscall::write:entry
{
	printf("after the faults: %d\n", never);
}

ERROR
{
	printf("action %d fault %d\n", arg2, arg4);
	faults++;
}

END
{
	printf("%d faults\n", faults);
}
