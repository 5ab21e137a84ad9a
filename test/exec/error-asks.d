/*
 * In a clause of ERROR, built-in variables are the firing's, also between clauses of the firing.
 * Its this-> variables are its own, and a fault in it is counted, but not reported.
 * rows: ERROR
 */
/* @fire syscall::read:entry comm=a pid=10 tid=11 arg1=3 */
/* @fire syscall::read:entry comm=b pid=20 tid=21 arg1=0 */
#pragma D option quiet

int last, zero;

ERROR
/execname == "a" || this->seen/
{
	this->seen++;
	faults[execname, tid]++;
	printf("%s %s %s %d %d %d %d seen %d last %d\n", probename, probeprov, execname, pid, arg2, arg4, arg3,
	    this->seen, last);
}

ERROR
{
	other = 10 / (pid - 20);
	printf("other %d\n", other);
}

syscall::read:entry
{
	this->seen = 7;
	last = arg1;
	printf("%s %d\n", execname, 1 / zero);
}

syscall::read:entry
/arg1/
{
	printf("%s\n", copyinstr(arg1));
}

syscall::read:entry
{
	printf("%d seen %d\n", last, this->seen);
}

END
{
	printf("%d %d %d\n", faults["a", 11], faults["b", 21], other);
}
