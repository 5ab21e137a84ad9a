string s;
BEGIN { s = (void)0; }
/* error: line 2: operands have incompatible types: "string" = "void" */
