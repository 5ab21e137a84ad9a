int x[4];
BEGIN { p = &x[5]; }
