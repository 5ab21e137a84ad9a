/* A translator's expression can read a variable that machines share. */
/* @afar a translation */
/* @fire syscall::read:entry pid=7 arg0=3 */
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
	printf("%d %d\n", (xlate <struct seat *> (arg0))->row, (xlate <struct seat *> (arg0))->place);
}
