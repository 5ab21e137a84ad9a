/* In default mode printa() without a format begins a new line. */

BEGIN
{
	@a["k"] = count();
	printa(@a);
	printa("%s %@d", @a);
	exit(0);
}
