struct s { int a; };
BEGIN { tracemem(*(struct s *)0, 4); }
/* error: line 2: tracemem( ) argument #1 must be a pointer or an integer */
