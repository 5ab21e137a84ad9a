BEGIN { trace(1, 2); }
/* error: line 1: trace( ) prototype mismatch: 2 arguments passed, 1 expected */
