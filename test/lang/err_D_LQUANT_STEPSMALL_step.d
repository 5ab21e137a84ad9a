BEGIN { @a = lquantize(1, 0, 100000); }
/* error: line 1: lquantize( ) step (argument #3) is too small: there are too many levels */
