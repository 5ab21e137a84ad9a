BEGIN { 1 = 2; }
/* error: line 1: operator = requires a modifiable lvalue as its operand */
