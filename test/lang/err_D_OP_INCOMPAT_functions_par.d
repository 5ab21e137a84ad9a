struct calls { int (*g)(int);int (*par)(int *); } *c;
BEGIN { c = (struct calls *)alloca(sizeof (struct calls)); trace(c->g == c->par); }
/* error: line 2: operands have incompatible types: "int (*)(int)" == "int (*)(int *)" */
