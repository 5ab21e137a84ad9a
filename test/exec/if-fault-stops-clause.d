/* A fault in one branch ends the whole clause; earlier parts keep their records. */
#pragma D option quiet

BEGIN
{
	zero = 0;
	if (zero == 0) {
		x = 1 / zero;
	}
	printf("never\n");
}

BEGIN
{
	printf("next\n");
}
