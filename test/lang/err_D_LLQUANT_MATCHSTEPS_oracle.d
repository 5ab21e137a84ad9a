/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 3, 10); @a = llquantize(1, 10, 0, 3, 20); }
/* error: line 2: llquantize( ) number of steps (argument #4) differs from the previous use */
