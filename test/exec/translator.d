/* A translated object has the members of its translator; only used members are computed. */
/* @mem kernel 0x1000 05 00 00 00 fd ff ff ff 00 20 00 00 00 00 00 00 */
/* @mem kernel 0x2000 "the name\0" */
#pragma D option quiet

struct raw {
	int a;
	int b;
	char *name;
};

typedef struct info {
	int64_t sum;
	string name;
	int broken;
	int answer;
} info_t;

translator info_t < struct raw *R > {
	sum = R->a + R->b;
	name = stringof(R->name);
	broken = *(int *)0x10;
	answer = 42;
};

BEGIN
{
	this->r = (struct raw *)0x1000;
	printf("%d %s\n", xlate <info_t *> (this->r)->sum, xlate <info_t *> (this->r)->name);
	printf("%d %d\n", xlate <info_t> (this->r).answer, strlen(xlate <info_t> (this->r).name));
}

BEGIN
{
	trace(xlate <info_t *> ((struct raw *)0x1000)->broken);
}
