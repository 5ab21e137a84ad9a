BEGIN { trace(*(void *)0); }
/* error: line 1: cannot dereference a pointer to void */
