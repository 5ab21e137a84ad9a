BEGIN { tracemem((void *)0, 1, "x"); }
/* error: line 1: tracemem( ) argument #3 must be of scalar type */
