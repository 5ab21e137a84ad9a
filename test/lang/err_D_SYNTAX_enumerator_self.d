enum e { self->A };
BEGIN { }
/* error: line 1: syntax error near "self" */
