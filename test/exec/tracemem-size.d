/* A size of 0, or beyond the maximum, means the maximum. */
/* @mem kernel 0x1000 "abcdefgh" */
#pragma D option quiet

BEGIN
{
	tracemem(0x1000, 4, 0);
	tracemem(0x1000, 4, 100);
	tracemem(0x1000, 4, -1);
	tracemem(0x1004, 4, 3);
	exit(0);
}
/* @afar line 7: tracemem() */
