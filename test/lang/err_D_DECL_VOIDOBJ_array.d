void x[4];
/* error: line 1: array of void is not allowed */
