BEGIN { stack(-1); }
/* error: line 1: stack( ) argument #1 must be a positive integer constant */
