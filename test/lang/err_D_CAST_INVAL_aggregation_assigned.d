BEGIN { (void)(@s[execname] = count()); }
/* error: line 1: invalid cast: value of type void to void */
