inline int f[int x] = x;
BEGIN { trace(f(1)); }
/* error: line 2: f is an inline and cannot be called as a function */
