int x[2][];
/* error: line 1: array dimension expected */
