BEGIN { @a = llquantize(1, 10, 0, 3, 4); }
/* error: line 1: llquantize( ) fewer steps (argument #4) than the factor (argument #1) must divide it */
