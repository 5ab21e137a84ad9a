inline self int x = 1;
/* error: line 1: storage class may not be used for an inline */
