BEGIN { @ = count(); @b[1] = quantize(arg0, 2); @c = lquantize(arg0, 0, 100, 10); @d = llquantize(arg0, 10, 0, 6, 20); clear(@c); trunc(@d, 5); normalize(@, 10); denormalize(@); }
