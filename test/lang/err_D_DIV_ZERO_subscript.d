int a[1 / 0];
BEGIN { }
/* error: line 1: expression contains division by zero */
