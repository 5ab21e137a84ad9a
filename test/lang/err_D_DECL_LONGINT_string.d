short string x;
/* error: line 1: short and long may only be used with integer types */
