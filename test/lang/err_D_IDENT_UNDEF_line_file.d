#pragma ident "x"
#line 41 "other.d"
BEGIN { trace(nosuch); }
/* error: line 41: failed to resolve nosuch: unknown variable name */
