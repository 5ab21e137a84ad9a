typedef struct { int a; } xinfo_t;
xl:::send { trace(args[0]->a); }
