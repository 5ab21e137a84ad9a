string s;
BEGIN { s = 1; }
/* error: line 2: operands have incompatible types: "string" = "int" */
