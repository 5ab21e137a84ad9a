struct s { int a; };
provider p { probe a(int x) : (struct s *x); };
/* error: line 2: translator for argument #1 of probe a from int to struct s * is not defined */
