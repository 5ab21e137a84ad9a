BEGIN { @a = count(); trunc(@a, 1, 2); }
/* error: line 1: trunc( ) prototype mismatch: 3 arguments passed, at most 2 expected */
