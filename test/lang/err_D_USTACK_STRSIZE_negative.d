BEGIN { jstack(1, -1); }
/* error: line 1: jstack( ) argument #2 must be an integer constant, zero or more */
