BEGIN { trace(enumname(5)); }
/* error: line 1: enumname( ) argument #1 is incompatible with prototype:
	prototype: enum
	 argument: int */
