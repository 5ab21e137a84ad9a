BEGIN { trace(count); }
/* error: line 1: count is not a variable */
