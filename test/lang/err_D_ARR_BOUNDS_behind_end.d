int x[4];
BEGIN { p = &x[5]; }
/* error: line 2: index 5 is out of bounds: x has 4 elements */
