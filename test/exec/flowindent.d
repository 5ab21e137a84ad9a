/* @there who indents has another consumer */
/* -F: entries and returns are indented. */
/* @fire syscall::read:entry */
/* @fire syscall::write:entry */
/* @fire syscall::write:return */
/* @fire syscall::read:return ret=3 */
#pragma D option flowindent

syscall::read:,
syscall::write:
{
	trace(arg0);
}
/* rows: -xflowindent */
