BEGIN { trace(execname == 5); }
/* error: line 1: operands have incompatible types: "string" == "int" */
