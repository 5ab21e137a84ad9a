struct none; struct s { struct none a[3]; }; BEGIN { }
/* error: line 1: array of an incomplete type: struct none */
