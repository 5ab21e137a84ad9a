BEGIN { trace(offsetof(struct sock, 1)); }
/* error: line 1: syntax error near "1" */
