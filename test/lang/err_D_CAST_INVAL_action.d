BEGIN { x = (int)trace(1); }
/* error: line 1: invalid cast: value of type void to int */
