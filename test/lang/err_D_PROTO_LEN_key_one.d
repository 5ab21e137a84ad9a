BEGIN { x[1, 2] = 1; y = x[1]; }
/* error: line 1: associative array x prototype mismatch: 1 key passed, 2 expected */
