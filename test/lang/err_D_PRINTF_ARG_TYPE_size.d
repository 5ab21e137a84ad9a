BEGIN { printf("%hd", 1); }
/* error: line 1: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %hd
	 prototype: short
	  argument: int */
