BEGIN { ustack(1, 2, 3); }
/* error: line 1: ustack( ) prototype mismatch: 3 arguments passed, at most 2 expected */
