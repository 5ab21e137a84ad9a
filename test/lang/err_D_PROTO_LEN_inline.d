inline int f[int a] = a;
BEGIN { trace(f[1, 2]); }
/* error: line 2: f[ ] prototype mismatch: 2 arguments passed, 1 expected */
