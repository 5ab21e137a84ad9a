/* Rows without keys, narrow and wide, are adjacent for each CPU: no update touches another row. */
/* rows: @count @quantize @lquantize @sum */
/* @fire syscall::read:entry cpu=0 arg2=0 */
/* @fire syscall::read:entry cpu=3 arg2=9 */
/* @fire syscall::write:entry cpu=1 */
/* @fire syscall::read:entry cpu=1 arg2=9 */
/* @fire syscall::write:entry cpu=2 */
#pragma D option quiet

syscall::read:entry
{
	@first = count();
	@many = lquantize(arg2, 0, 10, 1);
	@far = lquantize(arg2, 0, 5000, 1);
	@last = sum(arg2);
}

syscall::write:entry
{
	printa("%@d %@d%@d%@d\n", @first, @last, @many, @far);
	clear(@first);
	trunc(@many);
}
