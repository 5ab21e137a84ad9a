int x[];
/* error: line 1: array dimensions or key types expected: x */
