int a[int];
int a[int, int];
BEGIN { a[1] = 1; }
/* error: line 2: associative array redeclared with another key signature: a */
