/* A string as a statement is evaluated, so a bad address is a fault. */
#pragma D option quiet

BEGIN
{
	execname;
	seen = 1;
	stringof((char *)0x1234);
	seen = 2;
}

BEGIN
{
	printf("seen %d\n", seen);
	exit(0);
}

ERROR
{
	printf("fault %d in action %d at %x\n", arg4, arg2, arg5);
}
