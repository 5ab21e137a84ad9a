BEGIN { x = 1; trace(x(1)); }
/* error: line 1: x is a global variable and cannot be called as a function */
