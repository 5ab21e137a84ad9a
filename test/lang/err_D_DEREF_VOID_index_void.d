BEGIN { trace(((void *)1)[0]); }
/* error: line 1: cannot dereference a pointer to void */
