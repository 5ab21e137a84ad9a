/* option: dialect=oracle */
BEGIN { stack(0); }
/* error: line 2: stack( ) argument #1 must be a positive integer constant */
