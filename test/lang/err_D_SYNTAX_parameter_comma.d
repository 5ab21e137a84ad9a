extern int f(int, );
/* error: line 1: syntax error near ")" */
