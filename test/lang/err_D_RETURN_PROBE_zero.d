test:::int { return(0); }
/* error: line 1: return( ) of 0 is not possible: with 0 the function would run */
