provider p { probe a() };
/* error: line 1: syntax error near "}" */
