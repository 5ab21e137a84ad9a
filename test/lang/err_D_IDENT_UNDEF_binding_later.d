inline int later = 3;
#pragma D binding "9.9" later
BEGIN { trace(later); }
/* error: line 3: failed to resolve later: unknown variable name */
