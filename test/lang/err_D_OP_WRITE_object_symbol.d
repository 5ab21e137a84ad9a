BEGIN { a.out`count = 3; }
/* error: line 1: operator = requires a writable variable as its operand */
