BEGIN { span_end(1, 2); }
/* error: line 1: span_end( ) prototype mismatch: 2 arguments passed, at most 1 expected */
