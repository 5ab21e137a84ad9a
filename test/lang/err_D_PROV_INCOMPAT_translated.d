provider p { probe a(int x, int y) : (int x); };
provider p { probe a(int x, int y) : (int x, int y); };
/* error: line 2: provider p was declared differently before: probe a */
