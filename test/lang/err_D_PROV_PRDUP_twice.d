provider p { probe a(); probe a(); };
/* error: line 1: probe is declared twice: a */
