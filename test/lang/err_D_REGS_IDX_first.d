BEGIN { trace(uregs[1000000]); }
/* error: line 1: index 1000000 is out of range for uregs[ ] */
