int *p;
BEGIN { trace(p + p); }
/* error: line 2: operands have incompatible types: "int *" + "int *" */
