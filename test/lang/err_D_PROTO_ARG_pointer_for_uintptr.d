BEGIN { trace(copyinstr((char *)0)); }
/* error: line 1: copyinstr( ) argument #1 is incompatible with prototype:
	prototype: uintptr_t
	 argument: char * */
