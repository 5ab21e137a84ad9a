BEGIN { trace(count[1]); }
/* error: line 1: count is not an array */
