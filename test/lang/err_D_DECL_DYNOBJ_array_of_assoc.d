int x[4][int];
/* error: line 1: array of associative arrays is not allowed */
