BEGIN { trace(((int *)0)->x); }
/* error: line 1: operator -> requires a struct or union: int */
