/* Probes served at one place fire in the order of their sites, each with all its clauses. */
/* @fire rawtp:::signal_generate arg0=10 arg4=1 */
/* @fire rawtp:::signal_generate arg0=12 arg4=0 */
#pragma D option quiet

proc:::signal-discard
{
	printf("discard %d\n", args[2]);
}

proc:::signal-send
{
	printf("send %d\n", args[2]);
}

proc:::signal-discard
{
	printf("again %s\n", probename);
}
