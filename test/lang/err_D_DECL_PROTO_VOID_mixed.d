int f(int, void);
/* error: line 1: void must be the only parameter */
