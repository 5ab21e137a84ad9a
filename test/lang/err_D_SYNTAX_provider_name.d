provider 5 { probe a(); };
/* error: line 1: syntax error near "5" */
