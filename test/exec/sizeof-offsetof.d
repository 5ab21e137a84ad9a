/* sizeof and offsetof are constants. */
#pragma D option quiet

struct s {
	char a;
	int b;
	char c[3];
	int64_t d;
};

BEGIN
{
	printf("%d %d %d %d\n", sizeof (char), sizeof (short), sizeof (int), sizeof (int64_t));
	printf("%d %d %d\n", sizeof (struct s), sizeof (void *), sizeof ("text"));
	printf("%d %d %d\n", offsetof(struct s, b), offsetof(struct s, c), offsetof(struct s, d));
	exit(0);
}
