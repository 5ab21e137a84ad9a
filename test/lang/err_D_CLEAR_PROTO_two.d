BEGIN { @a = count(); clear(@a, @a); }
/* error: line 1: clear( ) prototype mismatch: 2 arguments passed, 1 expected */
