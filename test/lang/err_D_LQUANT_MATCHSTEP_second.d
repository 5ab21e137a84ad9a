BEGIN { @a = lquantize(1, 0, 10); @a = lquantize(1, 0, 10, 2); }
/* error: line 1: lquantize( ) step (argument #3) differs from the previous use */
