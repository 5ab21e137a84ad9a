BEGIN { trace(uregs[1, 2]); }
/* error: line 1: uregs[ ] takes one index, 2 were passed */
