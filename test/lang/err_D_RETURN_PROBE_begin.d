/* return() is for functions of the kernel, as they are entered */
BEGIN { return(-1); }
/* error: line 2: return( ) is not possible: no function is probed here */
