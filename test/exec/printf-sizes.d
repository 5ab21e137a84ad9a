/* Conversions with a size accept any integer of exactly that size; wide characters. */
#pragma D option quiet

int16_t h;
uint16_t uh;
int64_t l;
uint64_t ul;

BEGIN
{
	h = -2;
	uh = 65534;
	l = -3;
	ul = 18446744073709551613;
	printf("%hd %hi %ho %hu %hx %hX\n", h, h, uh, uh, uh, uh);
	printf("%ld %li %lo %lu %lx %lX\n", l, l, ul, ul, ul, ul);
	printf("%lld %lli %llo\n", (long long)l, (long long)l, (unsigned long long)ul);
	printf("%llu %llx %llX\n", (unsigned long long)ul, (unsigned long long)ul,
	    (unsigned long long)ul);
	printf("%lld %llx %ld %llu %lx\n", l, l, (long long)l, timestamp - timestamp, 'abcdefgh');
	printf("%hd %hu\n", uh, h);
	printf("%lc%wc %P %I\n", 65, 66, (uint16_t)22, "no address");
	printf("[%C] [%C] [%c]\n", 10, 'x', 120);
	exit(0);
}
/* rows: %hd %hi %ho %hu %hx %hX %ld %li %lo %lu %lx %lX %lld %lli %llo %llu %llx %llX %lc %wc %P %I %C */
