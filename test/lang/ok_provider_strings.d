provider p { probe a(char *x, string y) : (string x, char *y); };
