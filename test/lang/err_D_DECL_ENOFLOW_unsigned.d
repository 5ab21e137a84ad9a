enum e { A = 0xffffffffffffffff };
BEGIN { }
/* error: line 1: value of enumerator A exceeds INT_MAX */
