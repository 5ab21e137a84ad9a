string s; BEGIN { s *= 2; }
/* error: line 1: operator *= requires operands of arithmetic type */
