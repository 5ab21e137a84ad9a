BEGIN { x[1] = 1; x[1, 2] = 2; }
/* error: line 1: associative array x prototype mismatch: 2 keys passed, 1 expected */
