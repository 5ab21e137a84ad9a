BEGIN { trace(&uregs[1]); }
/* error: line 1: operator & requires an operand that is not a D variable */
