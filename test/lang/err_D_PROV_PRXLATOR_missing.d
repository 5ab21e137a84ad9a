struct s { int a; };
provider p { probe a(int x) : (struct s *x); };
