int *p;
long *q;
BEGIN { trace(p - q); }
/* error: line 3: operands have incompatible types: "int *" - "long *" */
