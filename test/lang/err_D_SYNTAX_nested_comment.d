/* a /* b */ BEGIN { }
/* error: line 1: syntax error: /* within a comment near "/*" */
