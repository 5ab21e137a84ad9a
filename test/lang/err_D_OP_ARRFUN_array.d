int x[4];
int y[4];
BEGIN { x = y; }
