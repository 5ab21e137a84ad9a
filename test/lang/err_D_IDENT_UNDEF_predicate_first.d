BEGIN / nosuch / { trace(another); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
