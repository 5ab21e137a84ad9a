BEGIN { @a = llquantize(1, 10, 0, 65536, 10); }
/* error: line 1: llquantize( ) argument #3 must be an unsigned 16-bit quantity */
