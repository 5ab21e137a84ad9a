test:::two { trace(args[0, 1]); }
/* error: line 1: args[ ] takes one index, 2 were passed */
