int x; BEGIN { trace(x[0]); }
/* error: line 1: x is not an array or pointer */
