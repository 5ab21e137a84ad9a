enum e { A = 2147483648 };
/* error: line 1: value of enumerator A exceeds INT_MAX */
