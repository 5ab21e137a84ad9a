BEGIN { trace(0 ? 2 : nosuch); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
