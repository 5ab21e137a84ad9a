struct s { int a; };
BEGIN { trace((int)*(struct s *)0); }
