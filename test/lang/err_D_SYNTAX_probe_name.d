provider p { probe 5(); };
/* error: line 1: syntax error near "5" */
