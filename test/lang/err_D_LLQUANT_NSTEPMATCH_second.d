BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 10, 0, 6, 20); }
/* error: line 1: llquantize( ) number of steps (argument #4) differs from the previous use */
