BEGIN { trace(strlen[1]); }
/* error: line 1: strlen is not an array */
