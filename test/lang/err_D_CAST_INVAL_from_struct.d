struct s { int a; };
BEGIN { trace((int)*(struct s *)0); }
/* error: line 2: invalid cast: value of type struct s to int */
