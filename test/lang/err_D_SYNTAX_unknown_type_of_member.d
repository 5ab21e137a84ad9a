struct s { foo a; };
/* error: line 1: syntax error near "foo" */
