BEGIN { x = stack(); trace(x == 1); }
/* error: line 1: operands have incompatible types: "stack" == "int" */
