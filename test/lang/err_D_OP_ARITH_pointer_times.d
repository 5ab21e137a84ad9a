int *p; BEGIN { trace(p * 2); }
/* error: line 1: operator * requires operands of arithmetic type */
