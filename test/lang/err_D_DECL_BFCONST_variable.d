struct s { int a:pid; };
/* error: line 1: width of a bit-field must be a positive integer constant */
