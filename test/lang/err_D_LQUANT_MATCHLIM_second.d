BEGIN { @a = lquantize(1, 0, 10); @a = lquantize(1, 0, 20); }
/* error: line 1: lquantize( ) limit (argument #2) differs from the previous use */
