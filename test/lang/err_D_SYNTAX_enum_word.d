enum 3 { A };
BEGIN { }
/* error: line 1: syntax error near "3" */
