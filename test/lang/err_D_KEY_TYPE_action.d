BEGIN { x[exit(0)] = 1; }
/* error: line 1: an expression of type void may not be used as a key */
