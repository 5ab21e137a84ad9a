BEGIN { @[stack(pid)] = count(); }
/* error: line 1: stack( ) argument #1 must be a positive integer constant */
