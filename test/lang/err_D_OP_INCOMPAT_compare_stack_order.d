BEGIN { trace(stack() >= 0); }
/* error: line 1: operands have incompatible types: "stack" >= "int" */
