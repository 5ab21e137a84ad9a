inline int f[int a, ...] = 1; BEGIN { }
/* error: line 1: variable-length parameter list is not allowed: f */
