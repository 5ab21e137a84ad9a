BEGIN { @a = lquantize(1, 0, 2147483648); }
/* error: line 1: lquantize( ) argument #2 must be a 32-bit quantity */
