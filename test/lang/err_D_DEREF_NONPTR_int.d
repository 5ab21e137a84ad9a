BEGIN { trace(*pid); }
/* error: line 1: cannot dereference a value that is not a pointer: pid_t */
