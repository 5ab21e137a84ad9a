BEGIN { bcopy(1, (void *)0, 1); }
/* error: line 1: bcopy( ) argument #1 is incompatible with prototype:
	prototype: void *
	 argument: int */
