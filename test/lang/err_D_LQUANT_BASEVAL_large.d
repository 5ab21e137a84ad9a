BEGIN { @a = lquantize(1, 2147483648, 10); }
/* error: line 1: lquantize( ) argument #1 must be a 32-bit quantity */
