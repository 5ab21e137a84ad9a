BEGIN { trace(execname == 1); }
/* error: line 1: operands have incompatible types: "string" == "int" */
