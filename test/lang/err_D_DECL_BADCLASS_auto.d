auto int x;
/* error: line 1: storage class may not be used for a D variable: x */
