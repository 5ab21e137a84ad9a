provider p { probe a(); } BEGIN { }
/* error: line 1: syntax error near "BEGIN" */
