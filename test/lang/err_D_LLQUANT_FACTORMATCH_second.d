BEGIN { @a = llquantize(1, 10, 0, 6, 10); @a = llquantize(1, 5, 0, 6, 25); }
