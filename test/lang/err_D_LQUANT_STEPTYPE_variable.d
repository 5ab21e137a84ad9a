BEGIN { @a = lquantize(1, 0, 10, pid); }
/* error: line 1: lquantize( ) argument #3 must be an integer constant: the step */
