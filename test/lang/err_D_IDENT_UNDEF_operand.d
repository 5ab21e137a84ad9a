BEGIN { x = !nosuch; trace(x + 1); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
