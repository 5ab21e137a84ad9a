struct s { int a:0; };
/* error: line 1: width of a bit-field must be a positive integer constant */
