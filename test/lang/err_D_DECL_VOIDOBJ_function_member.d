struct s { int f(int); };
/* error: line 1: member may not be a function: f */
