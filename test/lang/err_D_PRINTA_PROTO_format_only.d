BEGIN { printa("x"); }
/* error: line 1: printa( ) requires an aggregation after its format */
