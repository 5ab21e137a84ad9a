/* option: dialect=oracle; rows: DIALECT_BOUNDS_FIRST */
BEGIN { @ = lquantize(1, 5, 5, -1); }
/* error: line 2: lquantize( ) base (argument #1) must be less than limit (argument #2) */
