BEGIN { exit(); }
/* error: line 1: exit( ) prototype mismatch: 0 arguments passed, 1 expected */
