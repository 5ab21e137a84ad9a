this int x[int];
/* error: line 1: associative array may not be clause-local: x */
