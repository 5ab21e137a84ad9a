/* timestamp is the firing's, constant in a whole clause; walltimestamp counts from 1970. */
/* @fire syscall::read:entry time=5000 */
/* @fire syscall::read:entry time=7500 */
#pragma D option quiet

uint64_t last;

syscall::read:entry
{
	this->a = timestamp;
	printf("%d %d\n", timestamp, timestamp - this->a);
	printf("%d\n", last ? timestamp - last : 0);
	printf("%d\n", walltimestamp);
	last = timestamp;
}
/* rows: walltimestamp */
