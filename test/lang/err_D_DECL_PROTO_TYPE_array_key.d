int x[int a[int]];
/* error: line 1: associative array may not be a parameter */
