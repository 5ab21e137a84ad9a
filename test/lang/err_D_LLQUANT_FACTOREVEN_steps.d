BEGIN { @a = llquantize(1, 10, 0, 3, 15); }
/* error: line 1: llquantize( ) factor (argument #1) must divide the number of steps (argument #4), and these a power of the factor */
