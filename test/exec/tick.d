/* tick: one clause each time, with exit(). */
/* @fire profile:::tick-10 */
/* @fire profile:::tick-10 */
/* @fire profile:::tick-10 */
/* @fire profile:::tick-10 */
#pragma D option quiet

tick-10
{
	i++;
}

tick-10
/i == 3/
{
	printf("%d\n", i);
	exit(0);
}
