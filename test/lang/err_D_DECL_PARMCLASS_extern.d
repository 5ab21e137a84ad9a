int x[extern int];
/* error: line 1: storage class may not be used for a parameter */
