BEGIN { a[nosuch] = 1; }
/* error: line 1: failed to resolve nosuch: unknown variable name */
