BEGIN { trace("a
"); }
/* error: line 1: newline encountered in string literal */
