BEGIN { trace(offsetof int); }
/* error: line 1: syntax error near "int" */
