/* Addresses without a symbol are numbers; %k prints the frames of a stack in a key. */
/* @fire syscall::read:entry kstack=0x10,0x20 */
#pragma D option quiet

BEGIN
{
	printf("[%a] [%10a]\n", (uint64_t)1, (uint64_t)2);
	@s[sym(1), usym(2)] = count();
	printa("[%a] [%A] %@d\n", @s);
}

syscall::read:entry
{
	@k[stack()] = count();
	@m[mod(1), func(2), umod(3), ufunc(4), uaddr(5)] = count();
	printa("%k %@d\n", @k);
	printa("%-4k %@d\n", @k);
	printa("%a %a %A %A %A %@d\n", @m);
	sym(1);
	mod(2);
	func(3);
	usym(4);
	umod(5);
	ufunc(6);
	uaddr(7);
	exit(0);
}
/* rows: %a %A %k sym mod func usym umod ufunc uaddr */
/* @afar line 8: usym() */
