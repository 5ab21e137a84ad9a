BEGIN { trace(substr("abc", "x")); }
/* error: line 1: substr( ) argument #2 is incompatible with prototype:
	prototype: int
	 argument: string */
