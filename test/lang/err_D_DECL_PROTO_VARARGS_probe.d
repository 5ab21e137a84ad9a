provider p { probe a(int, ...); };
/* error: line 1: probe may not have a variable number of arguments */
