BEGIN { trace(1 && execname); }
/* error: line 1: operator && requires operands of scalar type */
