/* Integer conversions, flags, width, precision, also as arguments. */
#pragma D option quiet

uint16_t h;
int8_t c;

BEGIN
{
	h = 65535;
	c = -1;
	printf("[%d] [%i] [%u] [%x] [%X] [%o]\n", -5, h, c, c, 48879, 8);
	printf("[%5d] [%-5d] [%05d] [%+d] [% d] [%.3d]\n", 42, 42, 42, 42, 42, 7);
	printf("[%#x] [%#o] [%8.3x]\n", 255, 8, 10);
	printf("[%*d] [%-*d] [%.*d] [%*d]\n", 6, 1, 6, 2, 4, 3, -6, 4);
	printf("[%d] [%u] [%x]\n", 0xffffffffffffffff, 0xffffffffffffffff, -1);
	printf("[%lld] [%llx] [%hd]\n", (long long)-9, (unsigned long long)10, (short)-3);
	printf("[%c] [%5c] [%c] [%%]\n", 65, 'b', (char)67);
	printf("[%p] [%?x]\n", 0x1234, 0x1234);
	exit(0);
}
/* rows: %d %i %u %x %X %o %c %p %% %lld %llx %hd */
