BEGIN { x[1] = 1; trace(x); }
/* error: line 1: x is an associative array and needs its keys */
