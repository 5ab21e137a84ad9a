BEGIN { x = -execname; }
/* error: line 1: operator - requires an operand of arithmetic type */
