self foo_t *x;
/* error: line 1: syntax error near "foo_t" */
