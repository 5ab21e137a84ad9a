unsigned unsigned x;
/* error: line 1: invalid type combination */
