provider p1 { probe a(); };
/* error: line 1: provider name is not valid: p1 */
