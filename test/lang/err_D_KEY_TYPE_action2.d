BEGIN { x[trace(1)] = 1; }
/* error: line 1: an expression of type void may not be used as a key */
