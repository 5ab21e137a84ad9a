/*
 * All 64 bits of keys of associative arrays are compared: a time stamp for each connection, whose
 * numbers differ only above bit 31.
 */
/* @fire syscall::connect:entry arg1=0xffff888100001000 time=5000000000 */
/* @fire syscall::connect:entry arg1=0xffff888200001000 time=0x100000000000 */
/* @fire syscall::close:entry arg1=0xffff888100001000 time=0x100000100000 */
/* @fire syscall::close:entry arg1=0xffff888200001000 time=0x100000100000 */
/* @fire syscall::close:entry arg1=0xffff888300001000 time=0x100000100000 */
#pragma D option quiet

int last[int];
uint8_t seen[uint8_t];

syscall::connect:entry
{
	last[arg1] = timestamp;
	seen[arg1] = 1;
}

syscall::close:entry
/last[arg1]/
{
	printf("%d us\n", (timestamp - last[arg1]) / 1000);
	last[arg1] = 0;
	seen[arg1] += 2;
}

END
{
	printf("%d %d %d\n", seen[0], seen[0xffff888100001000], last[0xffff888100001000]);
	seen[257] = 4;
	seen[-1] = 5;
	printf("%d %d %d %d\n", seen[1], seen[257], seen[255], seen[-1]);
}
