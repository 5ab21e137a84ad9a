int a[2];
long *p;
BEGIN { trace(a == p); }
/* error: line 3: operands have incompatible types: "int [2]" == "long *" */
