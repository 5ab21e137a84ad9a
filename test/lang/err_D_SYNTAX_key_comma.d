int x[int, ];
/* error: line 1: syntax error near "]" */
