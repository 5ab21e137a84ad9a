struct s { int a:3; };
BEGIN { trace(&((struct s *)0)->a); }
/* error: line 2: operator & requires an operand that is not a bit-field */
