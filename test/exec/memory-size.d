/* The memory of the machine: a constant for all programs. */
#pragma D option quiet

BEGIN
{
	printf("%d %d\n", `physmem == `maxmem, `physmem > 4096);
}
