/* option: dialect=oracle */
BEGIN { @a = llquantize(1, 10, 0, 3, 4); }
/* error: line 2: llquantize( ) fewer steps (argument #4) than the factor (argument #1) must divide it */
