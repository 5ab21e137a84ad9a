int x[int];
int x[int, int];
/* error: line 2: associative array redeclared with another key signature: x */
