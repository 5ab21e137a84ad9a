/* option: dialect=oracle */
BEGIN { ustack("x"); }
/* error: line 2: ustack( ) argument #1 must be a positive integer constant */
