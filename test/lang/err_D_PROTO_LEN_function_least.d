BEGIN { trace(substr("a")); }
/* error: line 1: substr( ) prototype mismatch: 1 argument passed, at least 2 expected */
