struct s { int a; };
BEGIN { trace((struct s)1); }
/* error: line 2: invalid cast: value of type int to struct s */
