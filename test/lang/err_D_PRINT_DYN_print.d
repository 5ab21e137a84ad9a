typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
xl:::send { print(args[0]); }
/* error: line 3: print( ) may not be applied to a translated pointer */
