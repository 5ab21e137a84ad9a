BEGIN { x = 1; x = "a"; }
/* error: line 1: operands have incompatible types: "int" = "string" */
