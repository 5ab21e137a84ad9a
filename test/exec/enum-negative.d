/* A negative enumerator keeps its sign in a record, a key and a variable. */
#pragma D option quiet

enum state { BAD = -2, NONE, GOOD };
enum state e;

BEGIN
{
	e = BAD;
	trace(e);
	@[e] = count();
	printf(" %d %d\n", e, e < 0);
	printa("%d\n", @);
	clear(@);
	trunc(@);
}
