/* Pointers are compared without a sign. */
#pragma D option quiet

char *high, *low;

BEGIN
{
	high = (char *)0xffff888000000000;
	low = (char *)0x1000;
	printf("%d %d %d\n", high > low, high < low, low >= high);
	printf("%d %d\n", high > (char *)1, (char *)-1 > low);
}
