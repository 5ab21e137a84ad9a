/* option: knodefs */
BEGIN { `no_such = 1; }
/* error: line 2: operator = requires a writable variable as its operand */
