/* index() looks for the first position at or after start, rindex() for the last at or before it. */
#pragma D option quiet

BEGIN
{
	s = "foobarfoo";
	printf("%d %d %d\n", index(s, "foo"), index(s, "bar"), index(s, "nope"));
	printf("%d %d %d\n", index(s, "foo", 1), index(s, "foo", -5), index(s, "foo", 7));
	printf("%d %d %d\n", index(s, "", 4), index(s, "", 100), index(s, "f", 100));
	printf("%d %d %d\n", index("", ""), index("", "x"), index("", "", 3));
	printf("%d %d %d\n", rindex(s, "foo"), rindex(s, "bar"), rindex(s, "nope"));
	printf("%d %d %d\n", rindex(s, "foo", 5), rindex(s, "foo", 0), rindex(s, "bar", 2));
	printf("%d %d %d\n", rindex(s, "foo", -1), rindex(s, "", -1), rindex(s, "foo", 100));
	printf("%d %d\n", rindex(s, ""), rindex("", ""));
	exit(0);
}
/* rows: index rindex */
