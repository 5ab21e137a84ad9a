int x;
BEGIN { trace((x + 1)[2]); }
/* error: line 2: cannot dereference a value that is not a pointer: int */
