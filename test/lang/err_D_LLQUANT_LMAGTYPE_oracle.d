/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, pid, 3, 10); }
/* error: line 2: llquantize( ) argument #2 must be an integer constant: the low magnitude */
