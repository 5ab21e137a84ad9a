BEGIN { @a = lquantize(1, 0, 10); @a = lquantize(1, 1, 11); }
/* error: line 1: lquantize( ) base (argument #1) differs from the previous use */
