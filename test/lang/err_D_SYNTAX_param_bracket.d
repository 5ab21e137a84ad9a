int f[int, ];
BEGIN { }
/* error: line 1: syntax error near "]" */
