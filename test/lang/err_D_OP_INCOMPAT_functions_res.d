struct calls { int (*g)(int);char *(*res)(int); } *c;
BEGIN { c = (struct calls *)alloca(sizeof (struct calls)); trace(c->g == c->res); }
/* error: line 2: operands have incompatible types: "int (*)(int)" == "char *(*)(int)" */
