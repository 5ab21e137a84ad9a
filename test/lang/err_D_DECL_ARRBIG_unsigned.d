char a[0xffffffffffffffff];
BEGIN { }
