BEGIN { @a = lquantize(1, 0, pid); }
/* error: line 1: lquantize( ) argument #2 must be an integer constant: the limit */
