/* Members of structures and elements of C arrays are cut to their type, and so is a store's value. */
#pragma D option quiet

struct s {
	int8_t c;
	uint16_t w;
	int bits : 3;
} s;
uint8_t a[4];
int big;

BEGIN
{
	big = 0x1234567890;
	s.c = big;
	s.w = big;
	s.bits = big - 1;
	a[1] = big;
	printf("%d %x %d %x\n", s.c + 0, s.w + 0, s.bits + 0, a[1] + 0);
	printf("%d %d\n", (s.c = big) == -112, (a[2] = big) == 0x90);
	a[3]--;
	s.c -= 0x100;
	printf("%d %d\n", a[3] + 0, s.c + 0);
	exit(0);
}
