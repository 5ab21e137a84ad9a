typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
xl:::send { x = (uintptr_t)args[0]; }
/* error: line 3: invalid cast: value of type xinfo_t * to uintptr_t */
