int x[2147483647];
/* error: line 1: array dimension is too large */
