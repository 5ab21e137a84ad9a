BEGIN { trace(1uu); }
/* error: line 1: syntax error near "u" */
