/* option: dialect=oracle */
BEGIN { ustack(1, 2, 3); }
/* error: line 2: ustack( ) prototype mismatch: 3 arguments passed, at most 2 expected */
