typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
xl:::send / args[0] != NULL / { trace(1); }
/* error: line 3: a translated pointer has no value of its own: xinfo_t * */
