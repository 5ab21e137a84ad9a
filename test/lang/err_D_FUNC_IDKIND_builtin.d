BEGIN { trace(pid(1)); }
/* error: line 1: pid is a built-in variable and cannot be called as a function */
