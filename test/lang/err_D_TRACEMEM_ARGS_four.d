BEGIN { tracemem((void *)0, 1, 2, 3); }
/* error: line 1: tracemem( ) prototype mismatch: 4 arguments passed, at most 3 expected */
