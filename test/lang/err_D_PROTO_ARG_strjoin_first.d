BEGIN { trace(strjoin(1, "a")); }
/* error: line 1: strjoin( ) argument #1 is incompatible with prototype:
	prototype: const char *
	 argument: int */
