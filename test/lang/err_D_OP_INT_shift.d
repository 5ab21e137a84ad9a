BEGIN { trace("a" << 1); }
/* error: line 1: operator << requires operands of integral type */
