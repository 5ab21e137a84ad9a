inline int f[4] = 1;
/* error: line 1: inline requires key types in its brackets: f */
