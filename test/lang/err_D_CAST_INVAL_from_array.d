int a[2];
BEGIN { trace((long)a); }
/* error: line 2: invalid cast: value of type int [2] to long */
