BEGIN { @a = llquantize(1, 65536, 0, 3, 10); }
/* error: line 1: llquantize( ) argument #1 must be an unsigned 16-bit quantity */
