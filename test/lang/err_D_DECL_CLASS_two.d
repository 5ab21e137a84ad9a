self static int x;
/* error: line 1: only one storage class allowed in declaration */
