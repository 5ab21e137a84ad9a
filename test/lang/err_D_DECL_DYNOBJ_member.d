struct s { int a[int]; };
/* error: line 1: member may not be an associative array: a */
