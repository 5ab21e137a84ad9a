struct s { int a; } s; BEGIN { trace(1 ^^ s); }
/* error: line 1: operator ^^ requires operands of scalar type */
