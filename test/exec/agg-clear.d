/* clear() sets the values of all keys to 0 and keeps the keys; later values add to them. */
/* @fire syscall::read:entry comm=a arg2=-5 */
/* @fire syscall::read:entry comm=b arg2=7 */
/* @fire syscall::write:entry */
/* @fire syscall::write:return */
/* @fire syscall::read:entry comm=b arg2=-9 */
/* @fire syscall::write:return */
#pragma D option quiet

syscall::read:entry
{
	@n[execname] = count();
	@s[execname] = sum(arg2);
	@hi[execname] = max(arg2);
	@lo[execname] = min(arg2);
	@mean[execname] = avg(arg2);
}

syscall::write:entry
{
	printa("%s %@d %@d %@d %@d %@d\n", @n, @s, @hi, @lo, @mean);
	clear(@n);
	clear(@s);
	clear(@hi);
	clear(@lo);
	clear(@mean);
}

syscall::write:return
{
	printa("%s %@d %@d %@d %@d %@d\n", @n, @s, @hi, @lo, @mean);
}
/* rows: clear */
