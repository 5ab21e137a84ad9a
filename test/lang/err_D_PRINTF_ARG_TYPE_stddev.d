BEGIN { @a = quantize(1); printa("%@s\n", @a); }
/* error: line 1: printa( ) aggregation is incompatible with conversion #1 prototype:
	conversion: %s
	 prototype: a string or an array of char
	  argument: int64_t */
