BEGIN { @ = llquantize(pid, 2, "x", 10, 20); }
