BEGIN { printa(1); }
/* error: line 1: printa( ) argument #1 must be an aggregation */
