struct s { int a : sizeof (void); };
BEGIN { }
