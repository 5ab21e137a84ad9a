/* rand() is a number of 31 bits, as random(3). */
#pragma D option quiet

BEGIN
{
	this->x = rand();
	printf("%d %d\n", this->x >= 0, this->x <= 0x7fffffff);
}
