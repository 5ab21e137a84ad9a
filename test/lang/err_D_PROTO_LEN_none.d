BEGIN { trace(); }
/* error: line 1: trace( ) prototype mismatch: 0 arguments passed, 1 expected */
