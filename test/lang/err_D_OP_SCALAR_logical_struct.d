struct s { int a; } s; BEGIN { trace(!s); }
/* error: line 1: operator ! requires an operand of scalar type */
