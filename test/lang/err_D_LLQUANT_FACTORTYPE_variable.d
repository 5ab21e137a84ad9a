BEGIN { @a = llquantize(1, pid, 0, 3, 10); }
/* error: line 1: llquantize( ) argument #1 must be an integer constant: the factor */
