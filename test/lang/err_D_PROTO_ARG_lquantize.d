BEGIN { @ = lquantize(pid, "x", 10); }
