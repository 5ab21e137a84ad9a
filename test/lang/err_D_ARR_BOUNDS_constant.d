int x[4];
BEGIN { x[4] = 1; }
/* error: line 2: index 4 is out of bounds: x has 4 elements */
