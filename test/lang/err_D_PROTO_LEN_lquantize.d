BEGIN { @ = lquantize(pid, 1); }
/* error: line 1: lquantize( ) prototype mismatch: 2 arguments passed, at least 3 expected */
