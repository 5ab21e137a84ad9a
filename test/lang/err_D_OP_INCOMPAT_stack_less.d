BEGIN { x = stack(); trace(x < 0); }
/* error: line 1: operands have incompatible types: "stack" < "int" */
