BEGIN { @a = count(); clear(); }
/* error: line 1: clear( ) prototype mismatch: 0 arguments passed, 1 expected */
