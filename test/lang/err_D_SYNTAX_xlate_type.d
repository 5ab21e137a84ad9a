BEGIN { trace(xlate struct o > (1)); }
/* error: line 1: syntax error near "struct" */
