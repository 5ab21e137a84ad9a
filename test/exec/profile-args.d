/* arg0 is the pc if the kernel was interrupted, arg1 if a process was. */
/* @fire profile:::profile-97 pc=0xffffffff81000000 */
/* @fire profile:::profile-97 pc=0x401000 user=1 */
/* @fire profile:::tick-10 pc=0x401000 user=1 */
#pragma D option quiet

profile-97
{
	printf("%x %x\n", arg0, arg1);
}

tick-10
{
	printf("tick %d\n", arg1 != 0);
}
