BEGIN { @ = llquantize(1, 10, 2, 6, 80); }
/* error: line 1: llquantize( ) factor (argument #1) must divide the number of steps (argument #4), and these a power of the factor */
