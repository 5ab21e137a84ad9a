/* Bit-fields are cut and extended by their width, and neighbours do not change. */
#pragma D option quiet

struct bits {
	int a : 3;
	unsigned int b : 5;
	unsigned int c : 12;
	int d : 12;
	uint64_t e : 40;
};

struct bits s;

BEGIN
{
	s.b = 31;
	s.a = 5;
	s.c = 0xfff;
	s.d = -1;
	s.e = 0x123456789a;
	printf("%d %d %d %d %x\n", s.a, s.b, s.c, s.d, s.e);
	s.c = 0x1234;
	s.b++;
	printf("%d %d %x %d %x\n", s.a, s.b, s.c, s.d, s.e);
	s.a = 3;
	s.d = 2047;
	s.e = -1;
	printf("%d %d %x %d %x %d\n", s.a, s.b, s.c, s.d, s.e, sizeof (struct bits));
	exit(0);
}
