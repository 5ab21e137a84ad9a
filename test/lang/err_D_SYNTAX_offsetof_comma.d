BEGIN { trace(offsetof(struct sock)); }
/* error: line 1: syntax error near ")" */
