typedef unknown name;
/* error: line 1: syntax error near "unknown" */
