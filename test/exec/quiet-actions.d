/* -q: trace() prints the bare value, printa() begins with a newline. */
#pragma D option quiet

BEGIN
{
	trace(42);
	trace("text");
	trace(-1);
	@a["k"] = sum(5);
	printa(@a);
	exit(0);
}
