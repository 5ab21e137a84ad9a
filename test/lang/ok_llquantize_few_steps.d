/* Fewer steps than the factor, and one order only. */
BEGIN { @a = llquantize(1, 10, 0, 3, 5); @b = llquantize(1, 10, 3, 3, 10); @c = llquantize(1, 2, 0, 3, 1); }
