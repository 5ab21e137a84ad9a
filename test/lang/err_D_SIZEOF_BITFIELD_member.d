struct s { int a:3; };
BEGIN { trace(sizeof (((struct s *)0)->a)); }
/* error: line 2: sizeof may not be applied to a bit-field: a */
