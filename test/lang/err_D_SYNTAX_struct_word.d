struct 3 { int a; };
BEGIN { }
/* error: line 1: syntax error near "3" */
