test:::int { return("x"); }
/* error: line 1: return( ) argument #1 must be of integer type */
