BEGIN { nosuch(1); }
/* error: line 1: undefined function name: nosuch */
