BEGIN { x = (void *)0; x += 1; }
/* error: line 1: operator += requires an operand that points to something of known size */
