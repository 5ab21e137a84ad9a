inline int status = exit(0);
/* error: line 1: value of type void is not compatible with declared type int */
