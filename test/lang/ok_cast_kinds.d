struct pair { int a; } v, *p;
int a[2];
extern int untyped(int);
BEGIN { (void)v; x = (struct pair)v; y = (int *)a; z = (long)p; s = (string)p; t = (char *)execname; f = (long)&untyped; (void)untyped; w = (void *)untyped; }
