provider p { probe a(int x) : (int); };
/* error: line 1: output argument 1 needs the name of an input argument */
