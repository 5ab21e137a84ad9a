BEGIN { x = 1; x += curthread; }
/* error: line 1: operator += requires an operand that points to something of known size */
