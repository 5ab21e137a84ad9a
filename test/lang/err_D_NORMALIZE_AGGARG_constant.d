BEGIN { normalize(1, 2); }
/* error: line 1: normalize( ) argument #1 must be an aggregation */
