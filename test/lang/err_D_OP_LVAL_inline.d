inline int x = 1;
BEGIN { x = 2; }
/* error: line 2: operator = requires a modifiable lvalue as its operand */
