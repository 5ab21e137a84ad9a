/* @there what follows a fault at the host has been done */
/* What a clause did before a fault stays done; what it recorded is lost. */
#pragma D option quiet

BEGIN
{
	a = 1;
	@before = count();
	printf("lost\n");
	zero = 0;
	@key[1 / zero] = count();
	b = 2;
	@after = count();
}

END
{
	printf("%d %d\n", a, b);
	printa("before %@d\n", @before);
	printa("after %@d\n", @after);
	printa("key %d %@d\n", @key);
}
