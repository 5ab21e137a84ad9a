BEGIN { trace(exit); }
/* error: line 1: exit is not a variable */
