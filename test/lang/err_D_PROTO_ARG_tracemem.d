BEGIN { tracemem(curthread, "x"); }
/* error: line 1: tracemem( ) argument #2 is incompatible with prototype:
	prototype: size_t
	 argument: string */
