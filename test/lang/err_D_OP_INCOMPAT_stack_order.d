BEGIN { x = stack(); y = x < stack(); }
/* error: line 1: operands have incompatible types: "stack" < "stack" */
