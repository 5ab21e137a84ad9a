BEGIN { exit(trace(1)); }
/* error: line 1: exit( ) argument #1 is incompatible with prototype:
	prototype: int
	 argument: void */
