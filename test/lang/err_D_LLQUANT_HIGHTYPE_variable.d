BEGIN { @a = llquantize(1, 10, 0, pid, 10); }
/* error: line 1: llquantize( ) argument #3 must be an integer constant: the high magnitude */
