/* return() is for functions of the kernel, as they are entered */
BEGIN { return(-1); }
/* error: line 2: return( ) cannot be done: there are no functions here */
