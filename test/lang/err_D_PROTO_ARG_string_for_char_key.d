int a[void *];
BEGIN { a["x"] = 1; }
/* error: line 2: associative array a key #1 is incompatible with prototype:
	prototype: void *
	 argument: string */
