BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 5, 0, 6, 25); }
/* error: line 1: llquantize( ) factor (argument #1) differs from the previous use */
