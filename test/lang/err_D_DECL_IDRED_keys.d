int x[int];
int x[string];
/* error: line 2: associative array redeclared with another key signature: x */
