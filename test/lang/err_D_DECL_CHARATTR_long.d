long char x;
/* error: line 1: short and long may not be used with char type */
