BEGIN { trace(1 - execname); }
/* error: line 1: operands have incompatible types: "int" - "string" */
