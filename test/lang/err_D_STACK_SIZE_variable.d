BEGIN { stack(pid); }
/* error: line 1: stack( ) argument #1 must be a positive integer constant */
