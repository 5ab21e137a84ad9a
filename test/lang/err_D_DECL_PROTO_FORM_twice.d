provider p { probe a(int x, int x) : (int x); };
/* error: line 1: x must be declared once in the input arguments */
