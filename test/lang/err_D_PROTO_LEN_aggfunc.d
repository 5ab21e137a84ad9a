BEGIN { @a = count(1); }
/* error: line 1: count( ) prototype mismatch: 1 argument passed, 0 expected */
