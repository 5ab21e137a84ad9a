BEGIN { @ = lquantize(pid, 5, 5); }
/* error: line 1: lquantize( ) step (argument #3) is too large: there are no levels */
