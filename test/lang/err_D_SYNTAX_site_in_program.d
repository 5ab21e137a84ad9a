site a:::b from c:::d { }
/* error: line 1: syntax error near "a:::b" */
