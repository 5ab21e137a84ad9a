struct s { int a : ; };
BEGIN { }
/* error: line 1: syntax error near ";" */
