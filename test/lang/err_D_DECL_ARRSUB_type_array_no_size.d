BEGIN { trace(sizeof (int [])); }
/* error: line 1: type name is an array without a size */
