BEGIN { self->1 = 2; }
/* error: line 1: syntax error near "1" */
