/* option: dialect=oracle */
BEGIN { tracemem((void *)0, 1, 2, 3); }
/* error: line 2: tracemem( ) prototype mismatch: 4 arguments passed, at most 3 expected */
