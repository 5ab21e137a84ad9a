BEGIN { denormalize(); }
/* error: line 1: denormalize( ) prototype mismatch: 0 arguments passed, 1 expected */
