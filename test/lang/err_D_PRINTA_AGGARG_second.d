BEGIN { @a = count(); printa("x", 1); }
/* error: line 1: printa( ) argument #2 must be an aggregation */
