short short x;
/* error: line 1: invalid type combination */
