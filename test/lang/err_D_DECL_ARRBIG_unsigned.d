char a[0xffffffffffffffff];
BEGIN { }
/* error: line 1: array dimension is too large */
