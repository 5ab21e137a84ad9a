provider p { probe a(int); };
provider p { probe a(char *); };
/* error: line 2: provider p was declared differently before: probe a */
