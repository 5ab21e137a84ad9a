struct s { double d; } *p;
BEGIN { trace(p->d + 1); }
