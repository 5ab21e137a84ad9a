struct s { int a`b; };
BEGIN { }
