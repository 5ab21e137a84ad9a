BEGIN { printf("%s", 1); }
/* error: line 1: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %s
	 prototype: a string or an array of char
	  argument: int */
