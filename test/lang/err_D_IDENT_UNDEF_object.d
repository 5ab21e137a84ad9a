BEGIN { trace(a.out`far); }
/* error: line 1: failed to resolve a.out`far: it is far */
