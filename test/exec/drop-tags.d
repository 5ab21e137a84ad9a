/* droptags: the kind of the loss in front of the message. */
#pragma D option quiet
#pragma D option droptags
#pragma D option dynvarsize=64

BEGIN
{
	a[1] = 1;
	a[2] = 2;
}
/* rows: -xdroptags */
