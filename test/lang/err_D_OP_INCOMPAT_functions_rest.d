struct calls { int (*g)(int);int (*rest)(int, ...); } *c;
BEGIN { c = (struct calls *)alloca(sizeof (struct calls)); trace(c->g == c->rest); }
/* error: line 2: operands have incompatible types: "int (*)(int)" == "int (*)(int, ...)" */
