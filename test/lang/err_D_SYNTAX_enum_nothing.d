BEGIN { trace(sizeof (enum)); }
/* error: line 1: syntax error near ")" */
