provider p { probe a(int x); };
provider p { probe a(long x); };
/* error: line 2: provider p was declared differently before: probe a */
