/* Integer keys of 4 and 8 bytes print signed. */
#pragma D option quiet

BEGIN
{
	@a[-1] = sum(1);
	@a[1] = sum(2);
	@b[(int64_t)-5, (char)-1] = sum(3);
	exit(0);
}
