/* An inline that is an integer constant has the type of the constant. */
#pragma D option quiet

inline uint8_t LOW = 0x1ff;
inline int32_t NEG = 0xffffffff;

BEGIN
{
	printf("%d %d\n", LOW, NEG);
	exit(0);
}
