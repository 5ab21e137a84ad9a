BEGIN { span_end(stack()); }
/* error: line 1: span_end( ) takes a number or a string as the id */
