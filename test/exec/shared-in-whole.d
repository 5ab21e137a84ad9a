/* All expressions of a translated structure count, the first one too. */
/* @afar a translation */
/* @fire syscall::read:entry arg0=3 */
#pragma D option quiet

int base;
struct seat { int row, place; };
translator struct seat < int n > { row = base + n; place = n; };

syscall::read:entry
{
	printf("%d\n", base = 40);
}

syscall::read:entry
{
	print(xlate <struct seat> (arg0));
}
