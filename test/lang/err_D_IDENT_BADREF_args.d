BEGIN { trace(args); }
/* error: line 1: args is an array and needs an index */
