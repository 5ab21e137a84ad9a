typedef int *restrict rp_t;
int a, *b, c[4], d[int, string];
self string e;
this char f[16];
typedef int (*func_t)(int, char *);
struct node { struct node *next; unsigned bits : 3, more : 5; union { int i; long l; } u; };
enum color { RED, GREEN = 5, BLUE };
extern unsigned long jiffies;
int f(int, char *);
int (h), ((i))[3];
typedef int (word_t);
self g;
BEGIN { d[1, "x"] = c[2]; a = BLUE; trace(jiffies); self->g = 1; }
