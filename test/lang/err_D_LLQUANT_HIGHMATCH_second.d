BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 0, 5, 10); }
/* error: line 1: llquantize( ) high magnitude (argument #3) differs from the previous use */
