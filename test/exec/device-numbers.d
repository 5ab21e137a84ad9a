/* Device numbers: 12 bits of major, 20 of minor. */
/* rows: getmajor getminor */
#pragma D option quiet

BEGIN
{
	this->dev = (dev_t)0x80300005;
	printf("%d %d\n", getmajor(this->dev), getminor(this->dev));
	printf("%d %d\n", getmajor(0), getminor(0x100000));
	printf("%d %d\n", getmajor((dev_t)-1), getminor((dev_t)-1));
	exit(0);
}
