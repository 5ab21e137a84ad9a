/* option: dialect=oracle */
BEGIN { trace(uregs[28]); }
/* error: line 2: index 28 is out of range for uregs[ ] */
