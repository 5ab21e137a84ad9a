test:::two { return(1); }
/* error: line 1: return( ) is not possible: the kernel forbids it */
