BEGIN { x[nosuch]++; }
/* error: line 1: failed to resolve nosuch: unknown variable name */
