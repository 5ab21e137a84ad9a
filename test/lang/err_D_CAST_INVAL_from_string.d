BEGIN { trace((int)"abc"); }
/* error: line 1: invalid cast: value of type string to int */
