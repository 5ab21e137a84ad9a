BEGIN { xlate (1); }
/* error: line 1: syntax error near "(" */
