BEGIN { @a = llquantize(1, 10, -1, 3, 10); }
/* error: line 1: llquantize( ) argument #2 must be an unsigned 16-bit quantity */
