BEGIN { x = 1; trace(x[1]); }
/* error: line 1: x is not an array or pointer */
