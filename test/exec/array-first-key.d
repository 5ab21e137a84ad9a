/* The keys of the first assignment give an array its signature; they can be any expressions. */
#pragma D option quiet

int i;
uint16_t u;

BEGIN
{
	i = 1;
	u = 2;
	swapped[htons(i)] = 10;
	self->swapped[(long)htons(i)] = 11;
	joined[strjoin("n", i), substr("abc", u)] = 12;
	mixed[u + i, i ? u : i] = 13;
	printf("%d %d %d %d\n", swapped[256], self->swapped[256], joined["n1", "c"], mixed[3, 2]);
	exit(0);
}
