struct s { int a; int b[]; int c; }; BEGIN { trace(sizeof (struct s)); }
/* error: line 1: array dimension expected: b */
