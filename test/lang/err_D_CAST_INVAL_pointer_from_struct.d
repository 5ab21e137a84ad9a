struct pair { int a; } v;
BEGIN { x = (int *)v; }
/* error: line 2: invalid cast: value of type struct pair to int * */
