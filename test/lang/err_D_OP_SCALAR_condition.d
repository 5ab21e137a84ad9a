BEGIN { trace(execname ? 1 : 2); }
/* error: line 1: the condition of ?: must be of scalar type */
