typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
xl:::send { x = (uintptr_t)args[0]; }
