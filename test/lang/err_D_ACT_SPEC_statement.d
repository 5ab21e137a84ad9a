BEGIN { speculate(1); x = 1; copyout(0, 0, 1); }
/* error: line 1: a destructive function may not follow speculate( ) */
