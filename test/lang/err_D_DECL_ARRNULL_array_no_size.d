int x[]; BEGIN { }
/* error: line 1: array dimensions or key types expected: x */
