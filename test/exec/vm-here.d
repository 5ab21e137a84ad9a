/* Without targets this machine is host, number 0. */
#pragma D option quiet

BEGIN
{
	printf("%s %d %s\n", vmname, vmid, strjoin(vmname, "!"));
}
