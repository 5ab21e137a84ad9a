/* A clause runs if its predicate is not 0: numbers and comparisons. */
/* @fire syscall::read:entry pid=1 comm=cat arg0=0 arg2=10 */
/* @fire syscall::read:entry pid=2 comm=bash arg0=1 arg2=0 */
/* @fire syscall::read:entry pid=3 comm=cat arg0=-1 arg2=300 */
#pragma D option quiet

syscall::read:entry
/execname == "cat"/
{
	printf("cat %d\n", pid);
}

syscall::read:entry
/execname != "cat" || arg2 > 100/
{
	printf("other or long %d\n", pid);
}

syscall::read:entry
/arg0/
{
	printf("arg0 %d\n", pid);
}

syscall::read:entry
/(uint8_t)arg2 == 44/
{
	printf("low byte %d\n", pid);
}

syscall::read:entry
/0/
{
	printf("never\n");
}
