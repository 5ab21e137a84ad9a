/* Two probes of one program: the fields that differ are known from the firing. */
/* @fire syscall::write:entry */
/* @fire syscall::read:entry */
#pragma D option quiet

syscall::read:entry, syscall::write:entry
{
	printf("%s:%s:%s\n", probeprov, probefunc, probename);
}
