BEGIN { x[1] = (void)1; }
/* error: line 1: a value of type void may not be assigned to a variable */
