BEGIN { trace(curthread->comm(1)); }
/* error: line 1: a function call must use the name of a function */
