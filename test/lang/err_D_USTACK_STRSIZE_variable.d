BEGIN { ustack(1, pid); }
/* error: line 1: ustack( ) argument #2 must be an integer constant, zero or more */
