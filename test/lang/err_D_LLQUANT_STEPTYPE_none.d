/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 6, 0); }
/* error: line 2: llquantize( ) argument #4 must be a positive integer constant */
