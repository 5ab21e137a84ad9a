BEGIN { x = (int)execname; }
/* error: line 1: invalid cast: value of type string to int */
