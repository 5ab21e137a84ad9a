extern int missing;
BEGIN { trace(missing); }
/* error: line 2: failed to resolve missing: no such symbol */
