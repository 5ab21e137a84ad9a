/* option: dialect=oracle */
BEGIN { ustack(1, "x"); }
/* error: line 2: ustack( ) argument #2 must be an integer constant, zero or more */
