BEGIN { x = nosuch; }
END { trace(x); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
