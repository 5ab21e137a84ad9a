/* trace(): 8 and 4 bytes print signed, 2 and 1 unsigned, each in its width; strings in 33. */

int64_t i8;
uint32_t u4;
int32_t i4;
int16_t i2;
int8_t i1;

BEGIN
{
	i8 = -5;
	u4 = 4000000000;
	i4 = -7;
	i2 = -1;
	i1 = -1;
	trace(i8);
	trace(u4);
	trace(i4);
	trace(i2);
	trace(i1);
	trace("str");
	trace((char)65);
	exit(0);
}
/* rows: trace */
