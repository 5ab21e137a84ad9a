BEGIN { trace(enumname()); }
/* error: line 1: enumname( ) prototype mismatch: 0 arguments passed, 1 expected */
