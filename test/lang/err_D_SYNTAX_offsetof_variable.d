struct s { int a; } v;
BEGIN { trace(offsetof(v, a)); }
/* error: line 2: syntax error near "v" */
