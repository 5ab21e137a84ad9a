test:::int { return(-1); x = 0; return(x); }
