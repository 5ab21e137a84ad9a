typedef int t[int];
/* error: line 1: associative array may not be given a type name */
