int x[4];
int y[4];
BEGIN { x = y; }
/* error: line 3: operator = requires an operand that is not an array or function */
