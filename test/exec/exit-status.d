/* The status is that of exit(), cut to what a process can have. */

BEGIN
{
	exit(42);
}
/* rows: exit */
