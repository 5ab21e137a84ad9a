/* option: version=1.4 */
inline int later = 3;
#pragma D binding "1.5" later
BEGIN { trace(later); }
/* error: line 4: failed to resolve later: unknown variable name */
