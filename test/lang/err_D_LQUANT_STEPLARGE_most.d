BEGIN { @ = lquantize(pid, 2147483647, 2147483647); }
/* error: line 1: lquantize( ) step (argument #3) is too large: there are no levels */
