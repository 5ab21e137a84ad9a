BEGIN { trace(sizeof (struct)); }
/* error: line 1: syntax error near ")" */
