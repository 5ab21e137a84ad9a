BEGIN { trace(execnames); }
/* error: line 1: failed to resolve execnames: unknown variable name; did you mean execname? */
