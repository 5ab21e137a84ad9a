BEGIN { trace((a.out`struct 5 *)1); }
/* error: line 1: syntax error near "5" */
