/* The actions of a clause are checked when its types are known. */
BEGIN { trunc(1); trace(nosuch); }
/* error: line 2: failed to resolve nosuch: unknown variable name */
