/* @there statements after a fault at the host have run */
/* Effects of a clause before a fault remain; its record is lost. */
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
