/* @there keys of several peers that have equal values are one */
/* Keys of all types; numbers are cut to the type, strings end at their NUL. */
#pragma D option quiet
#pragma D option aggsortkey

uint8_t b;
int32_t i;

BEGIN
{
	b = 255;
	i = 5;
	@a[b, i, "x"] = count();
	@a[255, 5, "x"] = count();
	@a[255, 6, "x"] = count();
	s = "abc";
	@t[s] = count();
	s = "ab";
	@t[s] = count();
	@t[strjoin("a", "b")] = count();
	@t[probename] = count();
	printa("%d %d %s %@d\n", @a);
	printa("%s %@d\n", @t);
}
