BEGIN { trace(x); x = 1; }
/* error: line 1: failed to resolve x: unknown variable name */
