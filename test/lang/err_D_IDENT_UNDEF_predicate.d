BEGIN / nosuch / { trace(another = 1); printf(another); }
/* error: line 1: failed to resolve nosuch: unknown variable name */
