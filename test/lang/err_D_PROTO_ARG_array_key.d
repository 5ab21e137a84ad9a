int a[2];
long b[2];
BEGIN { k[a] = 1; k[b] = 1; }
/* error: line 3: associative array k key #1 is incompatible with prototype:
	prototype: int *
	 argument: long [2] */
