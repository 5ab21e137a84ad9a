BEGIN { @a = llquantize(1, 10, 0, 3, pid); }
/* error: line 1: llquantize( ) argument #4 must be an integer constant: the number of steps */
