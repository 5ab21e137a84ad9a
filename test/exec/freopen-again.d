/* A file that is opened again keeps what is in it. */
#pragma D option quiet
#pragma D option destructive

BEGIN
{
	freopen("/tmp/dtrace-exec-freopen.%d", $pid);
	printf("one\n");
	freopen("");
	printf("here\n");
}

BEGIN
{
	freopen("/tmp/dtrace-exec-freopen.%d", $pid);
	printf("two\n");
	freopen("");
}

BEGIN
{
	cat("/tmp/dtrace-exec-freopen.%d", $pid);
	system("rm /tmp/dtrace-exec-freopen.%d", $pid);
	exit(0);
}
