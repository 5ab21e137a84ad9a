int *p; BEGIN { p %= 2; }
/* error: line 1: operator %= requires operands of integral type */
