inline self int x = 4;
BEGIN { }
/* error: line 1: storage class may not be used for an inline */
