/* Without targets, host is the name of this machine. */
#pragma D option quiet

host::::BEGIN
{
	printf("at the host\n");
	exit(0);
}
