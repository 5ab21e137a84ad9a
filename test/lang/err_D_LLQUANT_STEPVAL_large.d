/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 3, 65536); }
/* error: line 2: llquantize( ) argument #4 must be an unsigned 16-bit quantity */
