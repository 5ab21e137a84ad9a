BEGIN { @a = llquantize(1, 10, 0, 3, 100000); }
/* error: line 1: llquantize( ) argument #4 must be an unsigned 16-bit quantity */
