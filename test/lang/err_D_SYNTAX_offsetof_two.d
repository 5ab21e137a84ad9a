BEGIN { trace(offsetof(struct list_head)); }
/* error: line 1: syntax error near ")" */
