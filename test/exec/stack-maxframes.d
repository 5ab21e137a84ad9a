/* maxframes: no stack has more frames, whatever the argument.  rows: -xmaxframes */
/* @fire syscall::read:entry kstack=0x10,0x20,0x30 ustack=0x40,0x50,0x60 */
#pragma D option quiet
#pragma D option unwindsize=0
#pragma D option maxframes=2

syscall::read:entry
{
	stack();
	stack(3);
	ustack(1);
	ustack(100);
}
