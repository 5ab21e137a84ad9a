/* const and volatile are part of the name that print() gives a type. */
#pragma D option quiet

struct q {
	const int a;
	volatile int b;
	const char *p;
	char *const c;
	const volatile short *const *d;
	const char name[4];
};
struct q q;
const int n;
BEGIN { q.b = 3; q.name[0] = 'x'; print(q); }
BEGIN { print(n); print(n + 1); print((const char *)0); }
BEGIN { exit(0); }
