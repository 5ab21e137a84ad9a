BEGIN { trace(uregs[1, 2, 3]); }
/* error: line 1: uregs[ ] takes one index, 3 were passed */
