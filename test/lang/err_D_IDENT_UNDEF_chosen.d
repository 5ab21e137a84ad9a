BEGIN { trace(1 ? nosuch : 2); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
