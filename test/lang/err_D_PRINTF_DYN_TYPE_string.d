BEGIN { printf("%*d", "a", 1); }
/* error: line 1: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: *
	 prototype: int
	  argument: string */
