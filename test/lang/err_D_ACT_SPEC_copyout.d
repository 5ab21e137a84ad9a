BEGIN { speculate(1); copyout((void *)0, 1, 2); }
/* error: line 1: a destructive function may not follow speculate( ) */
