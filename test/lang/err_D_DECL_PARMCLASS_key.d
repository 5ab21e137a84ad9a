int a[string, int];
int b[static int];
BEGIN { a["x", 1] = 2; }
