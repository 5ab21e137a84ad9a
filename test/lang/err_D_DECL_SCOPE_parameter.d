extern int f(int a`b);
BEGIN { }
