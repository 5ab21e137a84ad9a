int x[int][4];
BEGIN { x[1][2] = 3; trace(x[1][2]); }
