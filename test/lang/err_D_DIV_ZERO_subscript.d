int a[1 / 0];
BEGIN { }
