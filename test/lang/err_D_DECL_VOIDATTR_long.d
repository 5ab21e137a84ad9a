long void *x;
/* error: line 1: attributes may not be used with void type */
