struct s { struct nosuch a; };
/* error: line 1: incomplete type may not be used for member a: struct nosuch */
