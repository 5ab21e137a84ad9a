BEGIN { x = 1; trace(&x); }
/* error: line 1: operator & requires an operand that is not a D variable */
