BEGIN { @a = lquantize(1, 0, 1000000, 65536); }
/* error: line 1: lquantize( ) step (argument #3) exceeds 16 bits */
