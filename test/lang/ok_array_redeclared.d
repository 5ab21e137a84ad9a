int a[int, string];
int a[int, string];
BEGIN { a[1, "x"] = 1; }
