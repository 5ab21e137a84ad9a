/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 20, 10); }
/* error: line 2: llquantize( ) factor (argument #1) raised to the high magnitude (argument #3) does not fit 64 bits */
