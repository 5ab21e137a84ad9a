BEGIN { @a = rand(); }
/* error: line 1: @a must be assigned the result of an aggregating function */
