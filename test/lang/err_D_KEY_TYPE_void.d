BEGIN { x[bcopy((void *)0, (void *)0, 1)] = 1; }
/* error: line 1: an expression of type void may not be used as a key */
