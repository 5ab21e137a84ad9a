inline int f(int x) = 1;
/* error: line 1: inline requires key types in its brackets: f */
