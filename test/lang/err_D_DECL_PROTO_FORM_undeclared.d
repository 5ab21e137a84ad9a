provider p { probe a(int x) : (int y); };
/* error: line 1: y must be declared once in the input arguments */
