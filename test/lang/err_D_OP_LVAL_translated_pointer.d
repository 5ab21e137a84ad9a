typedef struct { int a; } xinfo_t;
translator xinfo_t < struct sock *s > { a = 1; };
inline xinfo_t *info = xlate <xinfo_t *> ((struct sock *)0);
BEGIN { info = 0; }
/* error: line 4: operator = requires a modifiable lvalue as its operand */
