int *p;
BEGIN { trace(p == 1); }
/* error: line 2: operands have incompatible types: "int *" == "int" */
