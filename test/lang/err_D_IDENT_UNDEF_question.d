BEGIN { trace(nosuch ? 1 : 2); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
