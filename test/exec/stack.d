/* stack(): frames with the indent, until the first 0; unknown addresses are numbers. */
/* @fire syscall::read:entry kstack=0x10,0x20,0x30 */

syscall::read:entry
{
	stack();
	stack(2);
}
