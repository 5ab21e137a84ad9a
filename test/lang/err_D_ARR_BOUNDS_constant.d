int x[4];
BEGIN { x[4] = 1; }
