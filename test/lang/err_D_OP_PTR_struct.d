struct s { int a; };
BEGIN { trace((*(struct s *)0)->a); }
/* error: line 2: operator -> must be applied to a pointer: struct s */
