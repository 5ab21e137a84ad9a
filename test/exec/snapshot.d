/* snapshot() prints what the ring keeps; later records come at the end. */
#pragma D option quiet
#pragma D option bufpolicy=ring

BEGIN
{
	printf("before\n");
	snapshot();
}

END
{
	printf("after\n");
}
