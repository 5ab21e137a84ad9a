typedef struct { int a; } xinfo_t;
translator xinfo_t < void *p > { a = 1; };
translator xinfo_t < struct sock *s > { a = s->sk_sndbuf; };
xl:::send { trace(args[0]->a); }
