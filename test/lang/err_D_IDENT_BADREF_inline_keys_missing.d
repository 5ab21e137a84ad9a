inline int f[int a] = a; BEGIN { trace(f); }
/* error: line 1: f is an inline that needs its arguments in [] */
