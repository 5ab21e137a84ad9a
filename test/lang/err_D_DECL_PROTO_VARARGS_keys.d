int x[int, ...];
/* error: line 1: variable-length key list is not allowed: x */
