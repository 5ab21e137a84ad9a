provider p { probe namei:lookup:entry(); };
/* error: line 1: syntax error near ":" */
