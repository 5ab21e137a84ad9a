BEGIN { printf(execname); }
/* error: line 1: printf( ) argument #1 is incompatible with prototype:
	prototype: string constant
	 argument: string */
