typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
xl:::send { trace(args[0]); }
/* error: line 3: trace( ) may not be applied to a translated pointer */
