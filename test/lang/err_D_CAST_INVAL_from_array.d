int a[2];
BEGIN { trace((long)a); }
