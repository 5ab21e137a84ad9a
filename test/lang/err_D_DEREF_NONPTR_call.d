BEGIN { trace(rand()[2]); }
/* error: line 1: cannot dereference a value that is not a pointer: int */
