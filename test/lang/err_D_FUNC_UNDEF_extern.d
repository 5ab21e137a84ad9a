int f(int);
BEGIN { f(1); }
/* error: line 2: undefined function name: f */
