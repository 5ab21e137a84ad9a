inline int f[void] = 1;
/* error: line 1: inline requires a key signature: f */
