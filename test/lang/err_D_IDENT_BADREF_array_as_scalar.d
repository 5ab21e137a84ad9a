BEGIN { x[1] = 1; trace(x); }
