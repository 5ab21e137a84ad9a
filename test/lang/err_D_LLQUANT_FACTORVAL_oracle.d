/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 1, 0, 3, 10); }
/* error: line 2: llquantize( ) factor (argument #1) must be two or more */
