/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 3, 10); @a = llquantize(1, 10, 0, 4, 10); }
/* error: line 2: llquantize( ) high magnitude (argument #3) differs from the previous use */
