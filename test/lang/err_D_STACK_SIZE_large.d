BEGIN { stack(2147483648); }
/* error: line 1: stack( ) argument #1 must be a positive integer constant */
