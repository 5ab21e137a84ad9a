struct s { double d; } *p;
BEGIN { trace(p->d + 1); }
/* error: line 2: operator + requires operands of integer type */
