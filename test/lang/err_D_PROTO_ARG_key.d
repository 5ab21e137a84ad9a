BEGIN { x[1] = 1; x["a"] = 2; }
/* error: line 1: associative array x key #1 is incompatible with prototype:
	prototype: int
	 argument: string */
