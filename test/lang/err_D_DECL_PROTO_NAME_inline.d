inline int f[int] = 1;
/* error: line 1: parameter 1 of inline f has no name */
