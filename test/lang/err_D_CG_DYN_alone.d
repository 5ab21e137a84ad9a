typedef struct { int a; char *b; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; b = NULL; };
xl:::send { args[0]; }
/* error: line 3: a translated pointer has no value of its own: xinfo_t * */
