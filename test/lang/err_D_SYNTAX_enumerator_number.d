enum e { A, 3 };
BEGIN { }
/* error: line 1: syntax error near "3" */
