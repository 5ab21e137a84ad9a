BEGIN { if 1 { } }
/* error: line 1: syntax error near "1" */
