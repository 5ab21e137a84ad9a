struct s { int a:3; };
BEGIN { trace(offsetof(struct s, a)); }
/* error: line 2: offsetof may not be applied to a bit-field: a */
