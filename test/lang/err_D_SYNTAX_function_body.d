int f(int a) { return a; }
/* error: line 1: syntax error near "{" */
