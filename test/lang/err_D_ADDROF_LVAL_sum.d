BEGIN { trace(&(pid + 1)); }
/* error: line 1: operator & requires an lvalue as its operand */
