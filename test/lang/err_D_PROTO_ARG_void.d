BEGIN { trace(strlen((void)0)); }
/* error: line 1: strlen( ) argument #1 is incompatible with prototype:
	prototype: const char *
	 argument: void */
