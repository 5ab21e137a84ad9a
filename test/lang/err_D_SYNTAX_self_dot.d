BEGIN { self.x = 2; }
/* error: line 1: syntax error near "." */
