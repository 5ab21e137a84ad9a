BEGIN { trunc(); }
/* error: line 1: trunc( ) prototype mismatch: 0 arguments passed, at least 1 expected */
