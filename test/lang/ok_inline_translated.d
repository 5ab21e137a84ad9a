struct in { int i; };
translator struct in < int s > { i = s + 1; };
inline struct in *f[int a] = xlate <struct in *> (a);
inline struct in *g = xlate <struct in *> (3);
BEGIN { trace(f[pid]->i); trace(g->i); }
