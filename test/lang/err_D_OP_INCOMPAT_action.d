inline int a = trace(1);
BEGIN { trace(a); }
/* error: line 1: value of type void is not compatible with declared type int */
