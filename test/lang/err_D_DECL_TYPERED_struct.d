struct s { int a; };
struct s { int b; };
/* error: line 2: struct s is defined already */
