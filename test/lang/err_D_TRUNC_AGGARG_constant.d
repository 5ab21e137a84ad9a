BEGIN { trunc(1); }
/* error: line 1: trunc( ) argument #1 must be an aggregation */
