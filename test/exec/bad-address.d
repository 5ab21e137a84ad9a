/* Reading memory that is not mapped is a fault with the address. */
#pragma D option quiet

BEGIN
{
	trace(*(int *)0x10);
}

BEGIN
{
	trace(stringof((char *)0x20));
}

ERROR
{
	printf("%d %x\n", arg4, arg5);
}
/* rows: DTRACEFLT_BADADDR */
