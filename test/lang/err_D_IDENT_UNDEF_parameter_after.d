inline int f[int y] = y;
BEGIN { trace(y); }
/* error: line 2: failed to resolve y: unknown variable name */
