struct s { int a; };
BEGIN { trace(stringof(*(struct s *)0)); }
/* error: line 2: stringof may not be applied to a value of this type: struct s */
