BEGIN { trace(uregs); }
/* error: line 1: uregs is an array and needs an index */
