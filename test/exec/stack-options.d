/* stackframes: frames without an argument; stackindent: blanks before each; rawbytes: as bytes. */
/* @fire syscall::read:entry kstack=0x10,0x20,0x30 ustack=0x40,0x50,0x60 */
#pragma D option quiet
#pragma D option unwindsize=0
#pragma D option stackframes=2
#pragma D option strsize=20
#pragma D option ustackframes=1
#pragma D option jstackframes=2

syscall::read:entry
{
	stack();
	setopt("stackindent", "3");
	stack();
	stack(3);
	ustack();
	jstack();
	printf("%d %d\n", stackdepth, ustackdepth);
	setopt("rawbytes");
	trace("abc");
}
/* rows: -xstackframes -xustackframes -xjstackframes jstack -xstackindent -xrawbytes stackdepth ustackdepth */
