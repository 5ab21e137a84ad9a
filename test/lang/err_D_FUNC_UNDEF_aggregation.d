BEGIN { @a = nosuch(); }
/* error: line 1: undefined function name: nosuch */
