/* An inline with branches is computed again when its operands have changed. */
#pragma D option quiet

int x;

inline int sign[int64_t n] = n < 0 ? -1 : n > 0 ? 1 : 0;
inline int both[int64_t a, int64_t b] = sign[a] == sign[b] && (sign[a] != 0 || sign[b] != 0);
inline int other[int64_t n] = both[n, x] ? 10 + sign[x] : 20 + sign[x];
inline int first[int *p] = p != NULL && *p > 3 ? *p : 0;

BEGIN
{
	x = 5;
	printf("%d %d %d %d\n", sign[x], both[x, x], other[x], other[-x]);
	x = -5;
	printf("%d %d %d %d\n", sign[x], both[x, x], other[x], other[-x]);
}

BEGIN
{
	this->p = (int *)alloca(sizeof(int));
	printf("%d", first[this->p]);
	*this->p = 7;
	printf(" %d", first[this->p]);
	*this->p = 8;
	printf(" %d", first[this->p]);
	this->p = NULL;
	printf(" %d\n", first[this->p]);
	exit(0);
}
/* @afar line 9: reading memory */
