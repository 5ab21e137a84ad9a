BEGIN { @ = llquantize(pid, 2, "x", 10, 20); }
/* error: line 1: llquantize( ) argument #3 is incompatible with prototype:
	prototype: int32_t
	 argument: string */
