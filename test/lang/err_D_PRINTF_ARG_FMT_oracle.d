/* option: dialect=oracle */
BEGIN { printf(execname); }
/* error: line 2: printf( ) argument #1 is incompatible with prototype:
	prototype: string constant
	 argument: string */
