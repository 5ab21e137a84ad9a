/* if and else, nested, with and without braces. */
/* @fire syscall::read:entry arg0=1 */
/* @fire syscall::read:entry arg0=2 */
/* @fire syscall::read:entry arg0=3 */
/* @fire syscall::read:entry arg0=20 */
#pragma D option quiet

syscall::read:entry
{
	printf("%d", arg0);
	if (arg0 == 1)
		printf(" one");
	else if (arg0 == 2) {
		printf(" two");
		this->n = 2;
	} else {
		if (arg0 < 10)
			printf(" few");
		else
			printf(" many");
		this->n = 3;
	}
	if (this->n == 3) {
		printf(" (else)");
	}
	this->n = 0;
	printf(".\n");
}
