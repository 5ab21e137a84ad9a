BEGIN { trace(((int (*)(int))1)[0]); }
/* error: line 1: cannot dereference a pointer to a function */
