BEGIN { trace(uregs["a"]); }
/* error: line 1: index of uregs[ ] is not an integer: string */
