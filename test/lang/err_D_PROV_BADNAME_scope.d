provider p { probe a`b(); };
/* error: line 1: probe name is not valid: a`b */
