BEGIN { trace(strlen()); }
/* error: line 1: strlen( ) prototype mismatch: 0 arguments passed, 1 expected */
