/* A cast to an integer type cuts and extends at once. */
#pragma D option quiet

BEGIN
{
	x = 0x123456789abcdef0;
	printf("%d %d %d\n", (int8_t)x, (uint8_t)x, (char)0xff);
	printf("%d %d\n", (int16_t)x, (uint16_t)x);
	printf("%d %d\n", (int32_t)x, (uint32_t)x);
	printf("%d %d\n", (int64_t)(int8_t)x, (uint64_t)(uint16_t)-1);
	printf("%d %d\n", (int64_t)(uint32_t)-1, (int64_t)(int32_t)0xffffffff);
	exit(0);
}
