BEGIN { `jiffies = 1; }
/* error: line 1: operator = requires a writable variable as its operand */
