struct calls { int (*g)(int);int (*more)(int, char *); } *c;
BEGIN { c = (struct calls *)alloca(sizeof (struct calls)); trace(c->g == c->more); }
/* error: line 2: operands have incompatible types: "int (*)(int)" == "int (*)(int, char *)" */
