/* option: dialect=oracle */
BEGIN { print(1); }
/* error: line 2: print( ) argument #1 is incompatible with prototype:
	prototype: pointer
	 argument: int */
