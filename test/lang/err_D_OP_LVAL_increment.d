BEGIN { (pid + 1)++; }
/* error: line 1: operator ++ requires a modifiable lvalue as its operand */
