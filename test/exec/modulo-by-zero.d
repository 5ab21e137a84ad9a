/* % by 0 is a fault, and so is op= by 0, which does not change the variable. */
#pragma D option quiet

BEGIN
{
	x = 5;
	x %= zero++ * 0;
}

BEGIN
{
	trace(7 % (zero - 1));
}

END
{
	printf("x is %d\n", x);
}
