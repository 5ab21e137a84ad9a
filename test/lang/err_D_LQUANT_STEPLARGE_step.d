BEGIN { @a = lquantize(1, 0, 10, 20); }
/* error: line 1: lquantize( ) step (argument #3) is too large: there are no levels */
