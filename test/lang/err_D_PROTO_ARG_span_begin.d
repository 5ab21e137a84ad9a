BEGIN { span_begin(1); }
/* error: line 1: span_begin( ) takes a string as the name */
