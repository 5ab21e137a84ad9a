int a[nosuch];
BEGIN { }
