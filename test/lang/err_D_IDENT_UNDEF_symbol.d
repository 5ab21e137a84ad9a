BEGIN { trace(`nosuch); }
/* error: line 1: failed to resolve `nosuch: no such symbol */
