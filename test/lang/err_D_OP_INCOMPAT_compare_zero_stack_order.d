BEGIN { trace(0 < stack()); }
/* error: line 1: operands have incompatible types: "int" < "stack" */
