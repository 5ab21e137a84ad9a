BEGIN { trace(1 - (char *)0); }
/* error: line 1: operands have incompatible types: "int" - "char *" */
