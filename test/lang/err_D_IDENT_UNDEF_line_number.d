#pragma ident "x"
#line 41
BEGIN { trace(nosuch); }
/* error: line 41: failed to resolve nosuch: unknown variable name */
