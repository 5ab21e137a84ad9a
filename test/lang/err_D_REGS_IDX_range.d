BEGIN { trace(uregs[28]); }
/* error: line 1: index 28 is out of range for uregs[ ] */
