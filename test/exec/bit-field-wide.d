/* A bit-field that begins in the middle of a byte is read and written inside its structure. */
#pragma D option quiet

struct r {
	long m0:12;
	long m1:47;
};

this struct r v;
struct r w;

BEGIN
{
	this->v.m1 = -5;
	this->v.m0 = 0x7ff;
	w = this->v;
	w.m1++;
	printf("%d %d %d %d\n", this->v.m0, this->v.m1, w.m0, w.m1);
	exit(0);
}
