long long long x;
/* error: line 1: invalid type combination */
