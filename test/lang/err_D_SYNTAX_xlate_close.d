BEGIN { trace(xlate < int (1)); }
/* error: line 1: syntax error near "1" */
