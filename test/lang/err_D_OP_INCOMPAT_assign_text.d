int *q;
BEGIN { q = "abc"; }
/* error: line 2: operands have incompatible types: "int *" = "string" */
