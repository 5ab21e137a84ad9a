/* An inline whose index changes a variable is evaluated at each use. */
/* @mem kernel 0x1000 00 01 00 */
/* @afar reading memory */
#pragma D option quiet

inline int next = ((char *)0x1000)[n++] ? 1 : 2;

BEGIN
{
	n = 0;
	printf("%d %d %d, then %d\n", next, next, next, n);
	exit(0);
}
