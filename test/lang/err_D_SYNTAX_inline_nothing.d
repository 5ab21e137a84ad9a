inline 3 = 4;
BEGIN { }
/* error: line 1: syntax error near "3" */
