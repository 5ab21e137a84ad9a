/* A stable probe and its mechanism at one place: each has its own arguments. */
/* @fire rawtp:::signal_generate arg0=10 arg1=20 arg2=0x3000 arg3=40 arg4=0 */
#pragma D option quiet

rawtp:::signal_generate
{
	printf("%d %d %d\n", arg0, arg1, arg3);
}

proc:::signal-send
{
	printf("send %d %d %d\n", arg1, args[2], arg2);
}

rawtp:::signal_generate
{
	printf("%d %d %d\n", arg0, arg1, arg3);
}
