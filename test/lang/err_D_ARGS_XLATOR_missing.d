typedef struct { int a; } xinfo_t;
xl:::send { trace(args[0]->a); }
/* error: line 2: translator for args[0] from struct sock * to xinfo_t is not defined */
