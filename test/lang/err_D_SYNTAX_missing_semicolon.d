BEGIN { trace(1) trace(2); }
/* error: line 1: syntax error near "trace" */
