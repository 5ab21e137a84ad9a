/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 3, 2, 10); }
/* error: line 2: llquantize( ) high magnitude (argument #3) must not be less than the low magnitude (argument #2) */
