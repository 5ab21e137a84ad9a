/* With defaultargs missing operands are 0 and "". */
/* @args 3 */
#pragma D option quiet
#pragma D option defaultargs

BEGIN
{
	printf("%d %d [%s]\n", $1, $2, $$3);
	exit(0);
}
/* rows: -xdefaultargs */
