/* In a predicate a && b && c, the host decides the parts that use its variables. */
/* @fire syscall::read:entry pid=1 arg0=1 arg2=10 */
/* @fire syscall::read:entry pid=2 arg0=2 arg2=10 */
/* @fire syscall::read:entry pid=3 arg0=1 arg2=20 */
/* @fire syscall::read:entry pid=4 arg0=1 arg2=10 */
#pragma D option quiet

syscall::read:entry
{
	calls++;
}

syscall::read:entry
/arg0 == 1 && calls > 1/
{
	printf("%d: later call\n", pid);
}

syscall::read:entry
/calls > 1 && arg0 == 1/
{
	printf("%d: later call, the other way\n", pid);
}

syscall::read:entry
/arg2 == 10 && arg0 == 1 && calls > 1/
{
	printf("%d: short\n", pid);
}

syscall::read:entry
/arg2 == 10 && calls > 1 && arg0 == 1/
{
	printf("%d: short, the other way\n", pid);
}

syscall::read:entry
/calls > 3 || arg0 == 2/
{
	printf("%d: either\n", pid);
}
