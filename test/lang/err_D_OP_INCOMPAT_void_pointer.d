BEGIN { trace((void *)0 + 1); }
/* error: line 1: operands have incompatible types: "void *" + "int" */
