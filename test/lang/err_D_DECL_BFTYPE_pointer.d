struct s { char *a:3; };
/* error: line 1: type of a bit-field must be an integer type */
