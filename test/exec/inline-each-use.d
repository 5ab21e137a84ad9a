/* An inline is computed at each use, if its value can change. */
#pragma D option quiet
#pragma D option nspec=1

int n;
inline int free_buffer = -speculation() < 0 ? 1 : 2;
inline int next = ++n > 1 ? n : -n;

BEGIN
{
	printf("%d %d\n", next, next);
	printf("%d %d\n", free_buffer, free_buffer);
}
