/* ++ and --: prefix gives the new value, postfix the old one; they wrap at the type's size. */
#pragma D option quiet

uint8_t b;
int8_t c;

BEGIN
{
	i = 5;
	printf("%d %d %d\n", i++, i, ++i);
	printf("%d %d %d\n", i--, i, --i);
	b = 255;
	b++;
	c = -128;
	c--;
	printf("%d %d\n", b, c);
	fresh++;
	self->fresh--;
	this->n = 10;
	this->n++;
	arr[1]++;
	arr[1]++;
	printf("%d %d %d %d\n", fresh, self->fresh, this->n, arr[1]);
	exit(0);
}
