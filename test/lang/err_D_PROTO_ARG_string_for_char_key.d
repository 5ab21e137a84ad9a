int a[void *];
BEGIN { a["x"] = 1; }
