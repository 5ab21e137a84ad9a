BEGIN { q -= trace(1); }
/* error: line 1: q has not yet been declared or assigned */
