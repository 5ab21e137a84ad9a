BEGIN { trace(substr("a", 1, 2, 3)); }
/* error: line 1: substr( ) prototype mismatch: 4 arguments passed, at most 3 expected */
