BEGIN { @a = count(); trace(&@a); }
/* error: line 1: operator & requires an operand that is not a D variable */
