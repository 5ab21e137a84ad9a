/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 3, 20); @a = llquantize(1, 20, 0, 3, 20); }
/* error: line 2: llquantize( ) factor (argument #1) differs from the previous use */
