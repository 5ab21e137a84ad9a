BEGIN { trace(~execname); }
/* error: line 1: operator ~ requires an operand of integral type */
