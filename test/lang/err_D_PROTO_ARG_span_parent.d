BEGIN { span_begin("a", 1, 2); }
/* error: line 1: span_begin( ) takes a string as the traceparent */
