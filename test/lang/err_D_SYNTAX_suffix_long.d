BEGIN { trace(1lll); }
/* error: line 1: syntax error near "l" */
