BEGIN { @ = lquantize(pid, "x", 10); }
/* error: line 1: lquantize( ) argument #2 is incompatible with prototype:
	prototype: int32_t
	 argument: string */
