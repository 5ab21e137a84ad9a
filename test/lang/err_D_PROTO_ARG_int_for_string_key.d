int a[string];
BEGIN { a[1] = 1; }
/* error: line 2: associative array a key #1 is incompatible with prototype:
	prototype: string
	 argument: int */
