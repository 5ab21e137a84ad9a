int a[nosuch];
BEGIN { }
/* error: line 1: failed to resolve nosuch: unknown variable name */
