/* The status is exit()'s, cut to the range of a process. */

BEGIN
{
	exit(42);
}
/* rows: exit */
