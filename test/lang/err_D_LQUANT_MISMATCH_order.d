BEGIN { @a = lquantize(1, 10, 0); }
/* error: line 1: lquantize( ) base (argument #1) must be less than limit (argument #2) */
