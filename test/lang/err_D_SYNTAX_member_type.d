struct s { 3 a; };
BEGIN { }
/* error: line 1: syntax error near "3" */
