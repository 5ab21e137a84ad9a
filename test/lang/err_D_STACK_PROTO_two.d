BEGIN { stack(1, 2); }
/* error: line 1: stack( ) prototype mismatch: 2 arguments passed, at most 1 expected */
