/* A variable is recorded with the width of its type, extended by its sign. */
#pragma D option quiet

int8_t i8;
uint8_t u8;
int16_t i16;
uint16_t u16;
int32_t i32;
uint32_t u32;
int64_t i64;
uint64_t u64;

BEGIN
{
	i8 = 200;
	u8 = 300;
	i16 = 40000;
	u16 = -1;
	i32 = 0x80000000;
	u32 = -2;
	i64 = -3;
	u64 = -1;
	printf("%d %d %d %d\n", i8, u8, i16, u16);
	printf("%d %d %d %d\n", i32, u32, i64, u64);
	printf("%x %x %x\n", i8, i16, i32);
	exit(0);
}
