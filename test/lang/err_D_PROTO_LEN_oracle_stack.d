/* option: dialect=oracle */
BEGIN { stack(1, 2); }
/* error: line 2: stack( ) prototype mismatch: 2 arguments passed, at most 1 expected */
