BEGIN { @ = lquantize(pid, 1); }
