BEGIN { tracemem((void *)0, pid); }
/* error: line 1: tracemem( ) argument #2 must be a positive integer constant */
