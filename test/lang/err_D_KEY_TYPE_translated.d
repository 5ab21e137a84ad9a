typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
xl:::send { @[args[0]] = count(); }
/* error: line 3: an expression of type xinfo_t * may not be used as a key */
