BEGIN { else { } }
/* error: line 1: syntax error near "else" */
