struct s { int a, b };
BEGIN { }
/* error: line 1: syntax error near "}" */
