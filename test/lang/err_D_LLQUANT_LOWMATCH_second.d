BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 1, 6, 10); }
/* error: line 1: llquantize( ) low magnitude (argument #2) differs from the previous use */
