long *q;
int a[2];
BEGIN { q = a; }
/* error: line 3: operands have incompatible types: "long *" = "int [2]" */
