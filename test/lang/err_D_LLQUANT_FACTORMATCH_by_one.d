BEGIN { @a = llquantize(1, 2, 0, 3, 1); @a = llquantize(1, 3, 0, 3, 1); }
/* error: line 1: llquantize( ) factor (argument #1) differs from the previous use */
