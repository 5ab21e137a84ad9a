BEGIN { @a = lquantize(1, pid, 10); }
/* error: line 1: lquantize( ) argument #1 must be an integer constant: the base */
