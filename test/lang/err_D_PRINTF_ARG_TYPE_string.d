BEGIN { printf("%d", execname); }
/* error: line 1: printf( ) argument #2 is incompatible with conversion #1 prototype:
	conversion: %d
	 prototype: an integer
	  argument: string */
