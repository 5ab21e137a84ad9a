/* Members of a union share memory; enumerators are numbers. */
#pragma D option quiet

union both {
	uint32_t word;
	uint8_t bytes[4];
};

enum color { RED = 3, GREEN, BLUE = -1 };

union both u;
enum color c;

BEGIN
{
	u.word = 0x11223344;
	printf("%x %x\n", u.bytes[0], u.bytes[3]);
	u.bytes[1] = 0xff;
	printf("%x\n", u.word);
	c = GREEN;
	printf("%d %d %d\n", c, c == GREEN, c == RED);
	c = BLUE;
	printf("%d\n", c < 0);
	exit(0);
}
