enum e { A = pid };
/* error: line 1: value of enumerator A must be an integer constant */
