/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 3, 10); @a = llquantize(1, 10, 1, 3, 10); }
/* error: line 2: llquantize( ) low magnitude (argument #2) differs from the previous use */
