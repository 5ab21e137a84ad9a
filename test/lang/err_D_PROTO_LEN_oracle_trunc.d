/* option: dialect=oracle */
BEGIN { @a = count(); trunc(@a, 1, 2); }
/* error: line 2: trunc( ) prototype mismatch: 3 arguments passed, at most 2 expected */
