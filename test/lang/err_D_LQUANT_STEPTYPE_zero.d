BEGIN { @a = lquantize(1, 0, 10, 0); }
/* error: line 1: lquantize( ) argument #3 must be a positive integer constant */
