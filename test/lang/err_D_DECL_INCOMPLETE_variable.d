struct nosuch x;
/* error: line 1: variable of an incomplete type: struct nosuch x */
