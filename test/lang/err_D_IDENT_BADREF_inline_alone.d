inline int f[int x] = x;
BEGIN { trace(f); }
/* error: line 2: f is an inline that needs its arguments in [] */
