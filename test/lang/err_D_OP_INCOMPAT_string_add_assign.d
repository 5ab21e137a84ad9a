BEGIN { x = "a"; x += 1; }
/* error: line 1: operands have incompatible types: "string" += "int" */
