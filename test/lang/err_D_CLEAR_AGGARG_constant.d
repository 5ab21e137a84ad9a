BEGIN { clear(1); }
/* error: line 1: clear( ) argument #1 must be an aggregation */
