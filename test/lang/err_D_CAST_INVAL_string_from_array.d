int a[2];
BEGIN { x = (string)a; }
/* error: line 2: invalid cast: value of type int [2] to string */
