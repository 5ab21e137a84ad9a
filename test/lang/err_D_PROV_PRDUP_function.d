/* library */
provider v { probe a:b:c(); probe a:d:c(); probe a:b:c(); };
/* error: line 2: probe is declared twice: c */
