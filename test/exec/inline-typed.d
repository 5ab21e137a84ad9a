/* The value of an inline is that of its type. */
#pragma D option quiet

inline uint8_t LOW = 0x1ff;
inline int32_t NEG = 0xffffffff;

BEGIN
{
	printf("%d %d\n", LOW, NEG);
	exit(0);
}
