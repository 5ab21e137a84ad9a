inline int = 1;
/* error: line 1: inline declaration requires a name */
