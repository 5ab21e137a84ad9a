struct s { int probe; };
/* error: line 1: syntax error near "probe" */
