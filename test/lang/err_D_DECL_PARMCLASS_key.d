int a[string, int];
int b[static int];
BEGIN { a["x", 1] = 2; }
/* error: line 2: storage class may not be used for a parameter */
