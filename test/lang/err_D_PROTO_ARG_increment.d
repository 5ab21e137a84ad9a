BEGIN { @a = quantize(1, "x"); }
/* error: line 1: quantize( ) argument #2 is incompatible with prototype:
	prototype: int64_t
	 argument: string */
