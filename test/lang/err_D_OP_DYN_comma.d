typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
xl:::send { x = (1, args[0]); }
/* error: line 3: operator , may not have a translated object or aggregation as its operand */
