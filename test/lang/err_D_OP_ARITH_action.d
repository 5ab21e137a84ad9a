BEGIN { x = -trace(1); }
/* error: line 1: operator - requires an operand of arithmetic type */
