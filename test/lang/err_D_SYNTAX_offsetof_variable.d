struct s { int a; } v;
BEGIN { trace(offsetof(v, a)); }
