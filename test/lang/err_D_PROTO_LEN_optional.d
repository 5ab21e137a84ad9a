BEGIN { trace(copyinstr(0, 1, 2)); }
/* error: line 1: copyinstr( ) prototype mismatch: 3 arguments passed, at most 2 expected */
