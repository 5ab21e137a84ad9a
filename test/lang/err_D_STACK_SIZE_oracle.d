/* option: dialect=oracle */
BEGIN { stack(-1); }
/* error: line 2: stack( ) argument #1 must be a positive integer constant */
