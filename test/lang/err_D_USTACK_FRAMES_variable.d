BEGIN { ustack(pid); }
/* error: line 1: ustack( ) argument #1 must be a positive integer constant */
