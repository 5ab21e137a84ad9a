/* A format with many conversions of all kinds. */
#pragma D option quiet

int8_t a;
uint16_t b;

BEGIN
{
	a = -1;
	b = 2;
	s = "s";
	printf("%d %d %s %d %s %x %c %d %d %s %u %o %d %s %d %d %d %s %d %d\n", a, b, s, 4,
	    probename, 6, '7', (int64_t)8, (char)9, "ten", 11, 12, 13, strjoin(s, s), 15, -16,
	    b + 15, lltostr(18), a + 20, 20);
	exit(0);
}
/* rows: printf */
