int x[4294967297];
/* error: line 1: array dimension is too large */
