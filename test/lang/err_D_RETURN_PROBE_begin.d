/* return() is for kernel functions at their entry. */
BEGIN { return(-1); }
/* error: line 2: return( ) is not possible: no function is probed here */
