struct s { char a:9; };
/* error: line 1: bit-field is wider than its type: a */
